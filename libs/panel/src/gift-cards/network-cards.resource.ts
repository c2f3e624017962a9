import { GiftCardMovement } from '#gift-cards';
import { Tenant, TenantDb } from '#tenancy';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { declareProperties, entityReader, inEachLanguage, PanelResource } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('networkCards', ({ words: own }) => own);

/** SQL: what passed to and from each other venue in a month (UTC, so that both venues have the same months), with its first movement. */
const sumsSql = `(select (array_agg(movement.id order by movement.created_at, movement.id))[1] as id, movement.peer_id,
    to_char(movement.created_at at time zone 'UTC', 'YYYY-MM') as month,
    coalesce(sum(-movement.amount) filter (where card.issuer_id is null), 0.00) as paid_there,
    coalesce(sum(movement.amount) filter (where card.issuer_id is not null), 0.00) as paid_here
  from gift_card_movement movement join gift_card card on card.id = movement.gift_card_id
  where movement.transfer_id is not null group by movement.peer_id, month)`;

/** What gift cards of networks paid at other venues, and cards of others here: what the venues owe one another. */
@PanelResource({ panels: 'tenant', position: 119, modules: 'ticketing' })
export class NetworkCardsResource implements ResourceProvider {
  constructor(private readonly db: TenantDb) {}

  entry(): PanelEntry {
    const { db } = this;
    const declared = declareProperties(
      {
        id: { type: 'uuid', isId: true, export: true },
        month: { isTitle: true, type: 'string', sql: 'sums.month', list: true, show: true, filter: true, export: true },
        venue: { type: 'string', sql: `coalesce(tenant.name, '–')`, list: true, show: true, filter: true, export: true },
        paidThere: { type: 'decimal', sql: 'sums.paid_there', list: true, show: true, filter: false, export: true },
        paidHere: { type: 'decimal', sql: 'sums.paid_here', list: true, show: true, filter: false, export: true },
        owed: {
          type: 'decimal',
          help: 'owedHelp',
          sql: 'sums.paid_here - sums.paid_there',
          list: true,
          show: true,
          filter: false,
          export: true,
        },
      },
      { entity: GiftCardMovement, alias: 'movement' },
    );
    return {
      source: {
        id: 'network-cards',
        properties: declared.properties,
        ...entityReader({
          ...declared.reading,
          open: (work) => db.transaction(work),
          joins: (query) =>
            query.innerJoin(sumsSql, 'sums', 'sums.id = movement.id').leftJoin(Tenant, 'tenant', 'tenant.id = sums.peer_id'),
          sort: { by: 'month', direction: 'desc' },
        }),
      },
      group: 'sales',
      icon: 'Repeat',
      rare: true,
      ...declared.places,
      sort: { by: 'month', direction: 'desc' },
      words: inEachLanguage((language) => words[language]),
    };
  }
}
