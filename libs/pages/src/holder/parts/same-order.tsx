import { currency, currentLanguage, dayAndTimeWords, moneyWords } from '#kernel';
import { currentTenant } from '#tenancy';
import type { WholeOrder } from '#tickets';
import type { VNode } from 'preact';
import { sameOrderWords } from './same-order.words.js';

/** The order that a reservation is a part of. */
export interface SameOrder {
  /** Of the whole order, decimal text. */
  readonly total: string;
  /** The reservations are dates of one pass. */
  readonly isPass: boolean;
  /** The other reservations, with the paths of their pages. */
  readonly others: readonly (WholeOrder['parts'][number] & { readonly path: string })[];
  /** Path of the page of the order. */
  readonly path: string;
}

/** Names what was ordered together with a reservation, what all cost, and leads there. */
export function SameOrderNote({ order }: { readonly order: SameOrder | undefined }): VNode | null {
  if (!order) return null;
  const language = currentLanguage();
  const words = sameOrderWords[language];
  const total = moneyWords(order.total, currency, language);
  const { timeZone } = currentTenant();
  return (
    <section class="notice">
      <p>{order.isPass ? words.partOfPass(total) : words.partOf(total)}</p>
      <ul>
        {order.others.map(({ path, event, startsAt, status }) => (
          <li>
            <a href={path}>
              <span dir="auto">{event}</span>, {dayAndTimeWords(startsAt, language, timeZone)}
            </a>
            {status === 'C' && ` (${words.cancelled})`}
          </li>
        ))}
      </ul>
      <p>
        <a href={order.path}>{words.wholeOrder}</a>
      </p>
    </section>
  );
}
