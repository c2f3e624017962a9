import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { TenantHoldings } from '#tenancy';
import { eventIsOverSql } from './event-queries/event-end.js';
import { texts } from './locales/catalogue.texts.js';

/** Reports the parts of the catalogue that prevent a change of the tenant's category. Unpublished products and events do not. */
@Injectable()
export class CatalogueHoldings implements OnModuleInit {
  constructor(
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.holdings.add(
      {
        module: 'ticketing',
        name: texts.localized('catalogueHoldings.ticketProducts'),
        from: `from product where category <> 'A' and published and built_in is null`,
      },
      {
        module: 'membership',
        name: texts.localized('catalogueHoldings.membershipProducts'),
        from: `from product where category = 'A' and published`,
      },
      {
        module: 'events',
        name: texts.localized('catalogueHoldings.events'),
        from: `from event where published and not ${eventIsOverSql('event', this.settings)}`,
      },
    );
  }
}
