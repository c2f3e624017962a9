import type { ProductCopiesService } from '#catalogue';
import { isUuid, momentWords, whenText } from '#kernel';
import { currentTenant, type TenantDb } from '#tenancy';
import { currentPanelRequest, formAction, PanelFieldError, recordHref, textOf } from '#panel-kit';
import type { PanelAction } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('prices.split', ({ words: own, t }) => ({
  ...own,
  shared: (count: number, events: string) => t('prices.split.shared', { count, events }),
}));

/** Maximum number of events that are named or offered. */
const mostNamed = 5;
const mostOffered = 500;

interface SellingEvent {
  readonly id: string;
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** Events that sell a price and are not over, then the others. */
function sellingEvents(db: TenantDb, priceId: string): Promise<SellingEvent[]> {
  return db.transaction((tx) =>
    tx.query<SellingEvent[]>(
      `select event.id, event.name, event.starts_at as "startsAt", event.ends_at as "endsAt"
       from price join event_product on event_product.product_id = price.product_id join event on event.id = event_product.event_id
       where price.id = $1 order by event.starts_at < now(), event.starts_at, event.id limit $2`,
      [priceId, mostOffered],
    ),
  );
}

/** Says that several events sell a price, so that a change is one for all of them; null for a price of one event. */
export async function sharedWords(db: TenantDb, priceId: string): Promise<string | null> {
  const events = await sellingEvents(db, priceId);
  if (events.length < 2) return null;
  const { language } = currentPanelRequest();
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const named = events
    .slice(0, mostNamed)
    .map(({ name, startsAt }) => `${name} (${momentWords(startsAt, language, currentTenant().timeZone, day)})`);
  const more = events.length > mostNamed ? [`+ ${events.length - mostNamed}`] : [];
  return words[language].shared(events.length, [...named, ...more].join(' · '));
}

function labelOf({ name, ...times }: SellingEvent): string {
  return `${name} (${whenText(times, currentPanelRequest().language, currentTenant().timeZone)})`;
}

/** Gives one event its own product with copies of the prices, which can then be changed for that event alone. */
export function splitAction(db: TenantDb, copies: ProductCopiesService): PanelAction {
  return formAction({
    icon: 'Scissors',
    visible: ({ sharedByMany }) => sharedByMany === true,
    form: async (id) => {
      const { language } = currentPanelRequest();
      const events = await sellingEvents(db, id);
      const { lead, tickets, event, submit } = words[language];
      return {
        lead: [lead],
        facts: [tickets],
        fields: [
          {
            name: 'eventId',
            kind: 'select',
            label: event,
            required: true,
            options: events.map((one) => ({ value: one.id, label: labelOf(one) })),
          },
        ],
        submit,
      };
    },
    act: async (id, { eventId }) => {
      const chosen = textOf(eventId);
      if (!isUuid(chosen)) throw new PanelFieldError({ eventId: { message: 'fieldChoice' } });
      const copy = await refusable(() => copies.split(id, chosen));
      if (copy === undefined) throw new PanelFieldError({}, 'error404Record');
      return { message: 'splitDone', redirect: recordHref('prices', copy) };
    },
  });
}
