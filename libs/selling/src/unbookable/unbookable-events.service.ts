import { isShownSql, eventIsOverSql, isPostponedSql, isKindSql, saleStateSql, soldForEventsSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { CheckoutsService } from '#payments';
import { hasModule, TenantDb, type Tx } from '#tenancy';
import { soldOutSql } from '#tickets';
import { takesTransfersSql } from '#transfers';
import { Inject, Injectable } from '@nestjs/common';
import { payAtVenueUntilSql } from '../drafts/payment-ways.js';
import { whyUnbookable, type EventFacts, type PriceFacts, type UnbookableReason } from './why-unbookable.js';

type Row = EventFacts & { readonly id: string; readonly prices: readonly PriceFacts[] };

/** Published events that nobody, or only some, can book. */
@Injectable()
export class UnbookableEventsService {
  private readonly statement: string;

  constructor(
    private readonly db: TenantDb,
    private readonly checkouts: CheckoutsService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = `select shown.id, shown.capacity, ${isPostponedSql('shown')} as "isPostponed",
        case when ${payAtVenueUntilSql('shown.id')} is not null or ${takesTransfersSql('shown.id')} then 'open'
          when exists (select from configuration where pay_at_venue_hours is not null)
            or exists (select from transfer_account where offered) then 'over' else 'none' end as payment, coalesce((
          select json_agg(json_build_object('published', product.published and ${isShownSql('price')}, 'sale', ${saleStateSql('price')},
            'soldOut', ${soldOutSql({ event: 'shown', price: 'price', product: 'product' })}, 'amount', price.amount::text,
            'freeAmount', price.free_amount, 'membershipId', price.required_membership_id))
          from ${soldForEventsSql()} sold join product on product.id = sold.product_id join price on price.product_id = product.id
          where sold.event_id = shown.id and not ${isKindSql('product.category', 'membership')}), '[]') as prices
      from event shown where shown.id = any($1::uuid[]) and shown.published and shown.same_as is null
        and not ${eventIsOverSql('shown', settings)}`;
  }

  /**
   * The reasons by the ids of the events. Events that are not published, are over or belong to another site have none.
   * @returns nothing for a tenant that sells no tickets
   */
  async reasons(eventIds: readonly string[]): Promise<ReadonlyMap<string, UnbookableReason>> {
    if (eventIds.length === 0 || !hasModule('ticketing')) return new Map();
    const online = await this.checkouts.available();
    const rows = await this.db.transaction((tx: Tx) => tx.query<Row[]>(this.statement, [eventIds]));
    const found = rows.map(
      ({ id, prices, ...event }) => [id, whyUnbookable({ ...event, payment: online ? 'open' : event.payment }, prices)] as const,
    );
    return new Map(found.filter((entry): entry is [string, UnbookableReason] => entry[1] !== undefined));
  }
}
