import type { Altered } from '#catalogue';
import type { MissingDiscount } from '#selling';
import type { UsedCode, WholeReservation } from '#tickets';
import {
  costsNothing,
  currentLanguage,
  databaseNow,
  dayAndTimeWords,
  grouped,
  isoInZone,
  type Language,
  sumOf,
  type Times,
  untilWhen,
} from '#kernel';
import { Dotted } from '#http';
import { currentTenant } from '#tenancy';
import { amountWords, Fault, fieldClass, newlyTold, When } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { SavedNote } from '#pages';
import { DiscountHints } from './discount-hints.js';
import { OrderArticle } from './order-article.js';
import { orderWords, orderWordsFor } from './order.words.js';

type Order = Pick<WholeReservation, 'event' | 'tickets' | 'options' | 'amount' | 'expiresAt'>;

interface EventArticleProps {
  readonly event: Times & Altered & { readonly name: string; readonly slug: string };
  readonly timeZone: string;
  /** What the page is; default: an order. */
  readonly kind?: string | undefined;
  /** What stands beside the rest on a desk. */
  readonly side?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The main part of a page about tickets of one event: the way back to its page, its name and date, and what follows. */
export function EventArticle({ event, timeZone, kind, side, children }: EventArticleProps): VNode {
  const language = currentLanguage();
  const words = orderWords[language];
  return (
    <OrderArticle
      back={{ path: `/event/${event.slug}`, label: words.backToEvent }}
      side={side}
      header={
        <>
          <p class="caps">{kind ?? words.kind}</p>
          <h1 dir="auto" class={event.name.length > 90 ? 'long' : undefined}>
            {event.name}
          </h1>
          <p>
            <When event={newlyTold(event)} language={language} timeZone={timeZone} />
          </p>
        </>
      }
    >
      {children}
    </OrderArticle>
  );
}

/** Tickets of one price and amount as one line. A product with the name of the event says nothing more. */
export function ticketLines(
  { tickets, event }: Pick<Order, 'tickets' | 'event'>,
  language: Language,
): { readonly what: VNode; readonly amount: string }[] {
  const groups = [...grouped(tickets, ({ priceId, amount: each }) => `${priceId} ${each}`).values()];
  return groups.map((same) => {
    const [{ price }] = same as [Order['tickets'][number]];
    const isSaid = [price.name, event.name].includes(price.product.name);
    const name = isSaid ? price.name : `${price.product.name} · ${price.name}`;
    const what = (
      <span>
        {same.length} × <bdi>{name}</bdi>
      </span>
    );
    return { what, amount: amountWords(sumOf(same) as `${number}`, language) };
  });
}

/** The tickets as a list, with the chosen options. */
export function TicketLines({ order }: { readonly order: Pick<Order, 'tickets' | 'options' | 'event'> }): VNode {
  const { options } = order;
  const language = currentLanguage();
  return (
    <>
      <ul class="leaders number">
        {ticketLines(order, language).map(({ what, amount }) => (
          <li>
            <span>{what}</span>
            <span>{amount}</span>
          </li>
        ))}
      </ul>
      <SavedNote tickets={order.tickets} />
      {options.length > 0 && (
        <p class="hint">
          <Dotted
            facts={options.map(({ name }) => (
              <bdi>{name}</bdi>
            ))}
          />
        </p>
      )}
    </>
  );
}

interface OrderLinesProps {
  readonly order: Order;
  /** The code that it uses. */
  readonly used?: UsedCode | null | undefined;
  /** What the buyer may add to save more. */
  readonly missing?: readonly MissingDiscount[] | undefined;
  readonly fault?: string | undefined;
  /** Stands below the sum. */
  readonly note?: string;
}

/** Until when an order can be cancelled; empty where a free one cannot. @param end see `HolderCancellationsService.until` */
export function cancelNote({ amount }: Pick<Order, 'amount'>, end: Date | undefined): string {
  const language = currentLanguage();
  const { cancelUntil, cancelNot } = orderWords[language];
  if (end && end > databaseNow()) return cancelUntil(dayAndTimeWords(end, language, currentTenant().timeZone));
  return costsNothing(amount) ? '' : cancelNot;
}

/** The tickets with their sum. */
export function OrderLines({ order, used, missing = [], fault, note }: OrderLinesProps): VNode {
  const language = currentLanguage();
  const words = orderWordsFor(language, order.tickets);
  return (
    <section id="tickets" tabindex={-1} class={fieldClass('ticket ticket-whole', fault)}>
      <div class="ticket-title line">
        <h2>{words.summary}</h2>
      </div>
      <Fault name="tickets" fault={fault} />
      <TicketLines order={order} />
      {used && <SavedNote used={used} tickets={[]} />}
      <DiscountHints missing={missing} />
      <p class="sum whole">
        <span>{words.total}</span>
        <strong>{amountWords(order.amount as `${number}`, language)}</strong>
      </p>
      {note && <p class="small">{note}</p>}
    </section>
  );
}

interface HoldProps {
  readonly order: Pick<Order, 'expiresAt' | 'tickets'>;
  readonly timeZone: string;
  /** What the sentence says: only that the tickets are held (to choose, or to confirm), or that they are to be paid, too. */
  readonly step?: 'heldUntil' | 'sentUntil' | 'payText';
}

/** Until when the tickets are held; with a script the time counts down and is announced now and then. */
export function Hold({ order: { expiresAt, tickets }, timeZone, step = 'heldUntil' }: HoldProps): VNode | null {
  if (expiresAt === null) return null;
  const language = currentLanguage();
  const words = orderWordsFor(language, tickets);
  const time = untilWhen(expiresAt, language, timeZone);
  const seconds = Math.floor((expiresAt.getTime() - databaseNow().getTime()) / 1000);
  if (seconds <= 0) return <p class="notice hold">{words.wasHeld(time)}</p>;
  const [before, after] = words[step]('\u0000', tickets.length).split('\u0000');
  return (
    <p class="notice hold" data-seconds={seconds} data-left={words.timeLeft} data-over={words.over}>
      {before}
      <time datetime={isoInZone(expiresAt, timeZone)}>{time}</time>
      {after} <strong class="number" data-clock="" aria-hidden="true" />
      <span class="implied" aria-live="polite" />
    </p>
  );
}
