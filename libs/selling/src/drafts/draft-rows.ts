import { lockEvent, queryDemanding } from '#tickets';
import { vatRateSql } from '#catalogue';
import { sumOf } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { networkFitsSql, type NetworkLimit } from '../holds/network-limits.js';
import { RefusedDraft } from './draft-refusals.js';
import { refusalOf } from './network-refusals.js';
import { payAtVenueUntilSql } from './payment-ways.js';
import type { CheckedChoice, DraftChoice, DraftLine, DraftTicket } from './wanted-draft.js';

/** Releases the places of a draft whose hold has ended, and deletes the draft later; its subject is the reservation. */
export const draftExpiryJob = 'draft-expiry';

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

/**
 * SQL: whether somebody waits in the queue of an event. `ask_by` of those who went away is over.
 * @param eventId SQL of the event's id
 */
const somebodyQueuesSql = (eventId: string): string => `exists (select 1 from booking_queue waits
  where waits.event_id = ${eventId} and waits.served_at is null and waits.ask_by > statement_timestamp())`;

/** What distinguishes a draft from one that a buyer begins without a queue. */
export interface DraftOrigin {
  /** The cart that it becomes a part of. */
  readonly cartId?: string | null;
  /** The spot in the queue whose turn it is; it becomes the id of the draft. Without it, those who wait come first. */
  readonly spot?: string | undefined;
}

/** A new draft. */
export interface NewDraft extends Pick<CheckedChoice, 'eventId' | 'tickets' | 'options'>, NetworkLimit, DraftOrigin {
  readonly id: string;
  readonly signingKeyId: number;
}

// One statement for all rows.
const insertSql = `with
  draft as (
    insert into reservation (id, event_id, email, email_key, status, amount, origin, sequence, is_draft, network, network_site, expires_at,
      cart_id)
    select $1::uuid, $2::uuid, '', $1::text, 'R', $3::numeric, 'page', 0, true, $4::text, $18::text,
      (select now() + make_interval(mins => $5)), $8::uuid
    where ${networkFitsSql({
      id: '$1',
      event: '$2',
      tickets: '$7',
      admission: '$20',
      minutes: '$5',
      network: '$4',
      maximum: '$6',
      site: '$18',
      siteMaximum: '$19',
      ofEvent: '$21',
    })}
      and ($9::boolean or not ${somebodyQueuesSql('$2::uuid')})
    returning id),
  held as (
    insert into ticket (id, reservation_id, event_id, price_id, amount, admission, vat_rate, status, signing_key_id, position, sequence)
    select given.id, draft.id, $2::uuid, price_id, amount, admission, vat_rate, 'C', $10::smallint, position - 1, 0
    from draft cross join unnest($11::uuid[], $12::uuid[], $13::numeric[], $14::boolean[], $15::numeric[])
      with ordinality as given (id, price_id, amount, admission, vat_rate, position)),
  chosen as (
    insert into reservation_option (reservation_id, option_id, name)
    select draft.id, given.* from draft cross join unnest($16::uuid[], $17::text[]) as given)`;

const insertStatement: PreparedStatement = {
  name: 'draft-insert',
  text: `${insertSql} select exists (select 1 from draft) as held, ${somebodyQueuesSql('$2::uuid')} as queues`,
};

const insertOrFailStatement: PreparedStatement = {
  name: 'draft-insert-at-once',
  text: `${insertSql} select 1 / (exists (select 1 from draft))::int as held`,
};

const insertValues = (draft: NewDraft): unknown[] => {
  const { tickets, options, spot, cartId = null } = draft;
  return [
    draft.id,
    draft.eventId,
    sumOf(tickets),
    draft.network,
    draft.holdMinutes,
    draft.maximum,
    tickets.length,
    cartId,
    spot !== undefined,
    draft.signingKeyId,
    tickets.map(() => randomUUID()),
    tickets.map(({ priceId }) => priceId),
    tickets.map(({ amount }) => amount),
    tickets.map(({ admission }) => admission),
    tickets.map(({ vatRate }) => vatRate),
    options.map(({ id }) => id),
    options.map(({ name }) => name),
    draft.networkSite,
    draft.siteMaximum,
    tickets.filter(({ admission }) => admission).length,
    draft.ofEvent,
  ];
};

/**
 * Stores a draft. The same statement looks for a queue, so that nobody overtakes those who wait at another server.
 * @throws RefusedDraft `queue_ahead`, `too_many_held`, `too_many_here`. Simultaneous requests of one network count each other only in
 *   `refuseTooMany` or `demandFits`, under the lock of the event
 */
export async function insertDraft(tx: Tx, draft: NewDraft): Promise<void> {
  const [row] = await queryPrepared<{ held: boolean; queues: boolean }>(tx, insertStatement, insertValues(draft));
  if (row?.held) return;
  if (row?.queues && draft.spot === undefined) throw new RefusedDraft('queue_ahead');
  throw await refusalOf(tx, draft);
}

/** Like `insertDraft`, but fails in the database, so that COMMIT can be sent behind it. @throws ChecksNeeded */
export function insertDraftAtOnce(tx: Tx, draft: NewDraft): Promise<void> {
  return queryDemanding(tx, insertOrFailStatement, insertValues(draft));
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
  tickets: readonly Omit<DraftTicket, 'vatRate'>[],
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

/** Stores the options of a draft. */
export async function insertDraftOptions(tx: Tx, id: string, options: CheckedChoice['options']): Promise<void> {
  if (options.length === 0) return;
  await tx.query(
    'insert into reservation_option (reservation_id, option_id, name) select $1::uuid, * from unnest($2::uuid[], $3::text[])',
    [id, options.map((option) => option.id), options.map(({ name }) => name)],
  );
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
