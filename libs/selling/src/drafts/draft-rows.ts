import { lockEvent, type UsedCode } from '#tickets';
import { forgetLines } from '#orders';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { usedCodesSql } from '../codes/used-codes.js';
import { payAtVenueUntilSql } from './payment-ways.js';
import type { DraftChoice, DraftLine } from './wanted-draft.js';

/** A draft whose event and row are locked until the transaction ends. */
export interface LockedDraft {
  readonly id: string;
  readonly eventId: string;
  /** The cart that it is a part of. */
  readonly cartId: string | null;
  readonly network: string | null;
  readonly networkSite: string | null;
  /** Decimal text. */
  readonly amount: string;
  /** Its hold has ended. */
  readonly lapsed: boolean;
  /** Its places and stock were released. */
  readonly released: boolean;
  readonly expiresAt: Date;
}

/** Finds the event of a draft, without a lock. @returns undefined when there is no such draft (any more) */
export async function eventOfDraft(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ eventId: string }[]>('select event_id as "eventId" from reservation where id = $1 and is_draft', [id]);
  return row?.eventId;
}

/** Locks the event, then the draft, the order of all changes. @returns undefined when there is no such draft (any more) */
export async function lockDraft(tx: Tx, id: string): Promise<LockedDraft | undefined> {
  const eventId = await eventOfDraft(tx, id);
  if (eventId === undefined) return undefined;
  await lockEvent(tx, eventId);
  return lockDraftRow(tx, id);
}

/** Locks the row of a draft whose event is locked. @returns undefined when it is no draft any more */
export async function lockDraftRow(tx: Tx, id: string): Promise<LockedDraft | undefined> {
  const [draft] = await tx.query<LockedDraft[]>(
    `select id, event_id as "eventId", cart_id as "cartId", network, network_site as "networkSite", amount, expires_at as "expiresAt",
       expires_at <= statement_timestamp() as lapsed, released_at is not null as released
     from reservation where id = $1 and is_draft for no key update`,
    [id],
  );
  return draft;
}

interface OrderFacts {
  readonly offeredTo: string;
  readonly payAtVenueUntil: Date | undefined;
  readonly code: UsedCode | undefined;
}

const orderFactsStatement: PreparedStatement = {
  name: 'order-facts',
  text: `select (select email from waiting_entry where reservation_id = $1) as "offeredTo",
    ${payAtVenueUntilSql('(select event_id from reservation where id = $1)')} as until,
    (select to_json(used) from (${usedCodesSql('order_line.reservation_id = $1')}) used limit 1) as code`,
};

/**
 * What the pages of an order show beside its rows.
 * @returns the address that the draft is offered to, or an empty text; until when a buyer may pay at the venue; and the code that it uses
 */
export async function orderFacts(tx: Tx, id: string): Promise<OrderFacts> {
  const [row] = await queryPrepared<{ offeredTo: string | null; until: Date | null; code: UsedCode | null }>(tx, orderFactsStatement, [id]);
  return { offeredTo: row?.offeredTo ?? '', payAtVenueUntil: row?.until ?? undefined, code: row?.code ?? undefined };
}

/** What distinguishes a draft from one that a buyer begins without a queue. */
export interface DraftOrigin {
  /** The cart that it becomes a part of. */
  readonly cartId?: string | null;
  /** The spot in the queue whose turn it is; it becomes the id of the draft. Without it, those who wait come first. */
  readonly spot?: string | undefined;
}

/** What a draft has now, as it was chosen. */
export async function choiceOf(tx: Tx, { id, eventId }: { readonly id: string; readonly eventId: string }): Promise<DraftChoice> {
  const lines = await tx.query<(DraftLine & { amount: string | null })[]>(
    `select price_id as "priceId",
       case when price.free_amount then (ticket.amount + coalesce(used.saved, 0) + coalesce(given.saved, 0))::text end as amount,
       count(*)::int as quantity
     from ticket join price on price.id = ticket.price_id left join code_use used on used.line_id = ticket.line_id
       left join discount_use given on given.line_id = ticket.line_id
     where ticket.reservation_id = $1 group by 1, 2 order by min(ticket.position)`,
    [id],
  );
  const [used] = await tx.query<{ code: string }[]>(
    `select code.code from code_use join order_line on order_line.id = line_id join code on code.id = code_id
     where order_line.reservation_id = $1 limit 1`,
    [id],
  );
  const options = await tx.query<{ id: string }[]>('select option_id as id from reservation_option where reservation_id = $1', [id]);
  return {
    eventId,
    lines: lines.map(({ priceId, quantity, amount }) => ({ priceId, quantity, ...(amount !== null && { amount }) })),
    options: options.map((option) => option.id),
    code: used?.code,
  };
}

/** Deletes the tickets, lines and options of a draft, whose seats were given back. */
export async function forgetChoice(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from ticket where reservation_id = $1', [id]);
  await forgetLines(tx, id);
  await tx.query('delete from reservation_option where reservation_id = $1', [id]);
}

/** Whether a draft has tickets of a pass for all dates of a series. */
export async function holdsPass(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.query<unknown[]>(
    'select from ticket join price on price.id = ticket.price_id where ticket.reservation_id = $1 and price.whole_series limit 1',
    [id],
  );
  return found.length > 0;
}
