import { lockEvent, somebodyQueuesSql } from '#tickets';
import { vatRateSql } from '#catalogue';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { RefusedDraft } from '../sales/draft-refusals.js';
import { payAtVenueUntilSql } from './payment-ways.js';
import type { CheckedChoice, DraftChoice, DraftLine, DraftTicket } from './wanted-draft.js';

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

const orderFactsStatement: PreparedStatement = {
  name: 'order-facts',
  text: `select (select email from waiting_entry where reservation_id = $1) as "offeredTo",
    ${payAtVenueUntilSql('(select event_id from reservation where id = $1)')} as until`,
};

/**
 * What the pages of an order show beside its rows.
 * @returns the address that the draft is offered to, or an empty text; and until when a buyer may pay at the venue
 */
export async function orderFacts(tx: Tx, id: string): Promise<{ offeredTo: string; payAtVenueUntil: Date | undefined }> {
  const [row] = await queryPrepared<{ offeredTo: string | null; until: Date | null }>(tx, orderFactsStatement, [id]);
  return { offeredTo: row?.offeredTo ?? '', payAtVenueUntil: row?.until ?? undefined };
}

/** What distinguishes a draft from one that a buyer begins without a queue. */
export interface DraftOrigin {
  /** The cart that it becomes a part of. */
  readonly cartId?: string | null;
  /** The spot in the queue whose turn it is; it becomes the id of the draft. Without it, those who wait come first. */
  readonly spot?: string | undefined;
}

/**
 * Refuses more for a draft, or another hold, while others wait in the queue of its event. The event must be locked.
 * @throws RefusedDraft `queue_ahead`; `queue_lapsed` when its hold has ended
 */
export async function refuseOvertaking(tx: Tx, { eventId, lapsed }: Pick<LockedDraft, 'eventId' | 'lapsed'>): Promise<void> {
  const [row] = await tx.query<{ queues: boolean }[]>(`select ${somebodyQueuesSql('$1::uuid')} as queues`, [eventId]);
  if (row?.queues) throw new RefusedDraft(lapsed ? 'queue_lapsed' : 'queue_ahead');
}

/** Stores the tickets of a draft, in state C. */
export async function insertDraftTickets(
  tx: Tx,
  { id, eventId, signingKeyId }: { readonly id: string; readonly eventId: string; readonly signingKeyId: number },
  tickets: readonly Pick<DraftTicket, 'priceId' | 'amount' | 'admission'>[],
): Promise<void> {
  await tx.query(
    `insert into ticket (id, reservation_id, event_id, price_id, amount, admission, status, signing_key_id, position, sequence, vat_rate)
     select t.id, $1::uuid, $2::uuid, t.price_id, t.amount, t.admission, 'C', $3::smallint, t.position - 1, 0,
       (select ${vatRateSql('price.vat')} from price where price.id = t.price_id)
     from unnest($4::uuid[], $5::uuid[], $6::numeric[], $7::boolean[]) with ordinality as t (id, price_id, amount, admission, position)`,
    [
      id,
      eventId,
      signingKeyId,
      tickets.map(() => randomUUID()),
      tickets.map(({ priceId }) => priceId),
      tickets.map(({ amount }) => amount),
      tickets.map(({ admission }) => admission),
    ],
  );
}

/**
 * Stores the options of a draft, whose event is locked.
 * @throws RefusedDraft `changed` when one of them was deleted meanwhile
 */
export async function insertDraftOptions(tx: Tx, id: string, options: CheckedChoice['options']): Promise<void> {
  if (options.length === 0) return;
  const stored = await tx.query<unknown[]>(
    `with offered as (select id, name from event_option where id = any($2) order by id for key share)
     insert into reservation_option (reservation_id, option_id, name) select $1::uuid, id, name from offered returning 1`,
    [id, options.map((option) => option.id)],
  );
  if (stored.length < options.length) throw new RefusedDraft('changed', 'options');
}

/** What a draft has now, as it was chosen. */
export async function choiceOf(tx: Tx, { id, eventId }: { readonly id: string; readonly eventId: string }): Promise<DraftChoice> {
  const lines = await tx.query<(DraftLine & { amount: string | null })[]>(
    `select price_id as "priceId", case when price.free_amount then ticket.amount::text end as amount, count(*)::int as quantity
     from ticket join price on price.id = ticket.price_id where reservation_id = $1 group by 1, 2 order by min(ticket.position)`,
    [id],
  );
  const options = await tx.query<{ id: string }[]>('select option_id as id from reservation_option where reservation_id = $1', [id]);
  return {
    eventId,
    lines: lines.map(({ priceId, quantity, amount }) => ({ priceId, quantity, ...(amount !== null && { amount }) })),
    options: options.map((option) => option.id),
  };
}

/** Deletes the tickets and options of a draft, whose places were given back. */
export async function forgetChoice(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from ticket where reservation_id = $1', [id]);
  await tx.query('delete from reservation_option where reservation_id = $1', [id]);
}
