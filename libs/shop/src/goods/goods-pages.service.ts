import { publicReply } from '#page-kit';
import { OnSaleService } from '#tickets';
import type { Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { PublicEventsService } from '#pages';
import { CheckoutsService } from '#payments';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { goodsPage } from './goods.page.js';

/** The page with the goods of the venue, which are handed out at events. */
@Injectable()
export class GoodsPagesService {
  constructor(
    private readonly onSale: OnSaleService,
    private readonly checkouts: CheckoutsService,
    private readonly events: PublicEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** All goods, the same for everybody. @param at the event at which the reader collects them */
  async goods(at?: string): Promise<Reply<string>> {
    const html = goodsPage({
      goods: await this.onSale.goods(),
      at,
      venue: await this.events.venue(),
      isOnline: await this.checkouts.available(),
      canonical: tenantUrl(this.settings, currentTenant(), '/shop'),
    });
    return publicReply('text/html', html, { hasForm: true });
  }
}
