import { eventIsOverSql, type AssumedDuration } from '#catalogue';
import { RefusedInput } from '#kernel';
import { currentTenant, type Tx } from '#tenancy';
import { texts } from '../locales/holders.texts.js';
import type { SeenTicket } from './holder-changes.js';

/** Offers of one ticket, and those to one person within a day, because each one sends a mail. */
const mostOffers = { perHour: 3, perDay: 5, transfersInAll: 20, toOnePerson: 20 } as const;

const refusals = {
  sameHolder: texts.localized('transfers.sameHolder'),
  tooOften: texts.localized('transfers.tooOften'),
  tooOftenToday: texts.localized('transfers.tooOftenToday'),
};

const goodsRefusals: typeof refusals = {
  sameHolder: texts.localized('goodsTransfers.sameHolder'),
  tooOften: texts.localized('goodsTransfers.tooOften'),
  tooOftenToday: texts.localized('goodsTransfers.tooOftenToday'),
};

/** SQL: whether a ticket of an event can be given to somebody else: valid, not used, and the event is not over. */
export const isGivableSql = (assumed: AssumedDuration): string =>
  `ticket.status = 'K' and ticket.fulfilled_at is null and not ${eventIsOverSql('event', assumed)}`;

/**
 * SQL: whether an offer (`transfer`) can be accepted. It lapses by itself with the right to give the ticket: when the ticket is scanned,
 * handed out, cancelled or given on, and when the event is over.
 */
export const offerStandsSql = (assumed: AssumedDuration): string =>
  `transfer.state = 'pending' and transfer.code_version = ticket.code_version and ${isGivableSql(assumed)}`;

/** A ticket that its holder may give to somebody else. */
interface GivableTicket {
  readonly holderEmail: string | null;
  readonly holderKey: string | null;
  /** Name on it. */
  readonly name: string;
  readonly admission: boolean;
  /** Offers within the last hour. */
  readonly recently: number;
  /** Offers within the last 24 hours. */
  readonly today: number;
}

/** The ticket, when it can be given away. */
export async function findGivable(
  tx: Tx,
  { id, reservationId, codeVersion }: SeenTicket,
  assumed: AssumedDuration,
): Promise<GivableTicket | undefined> {
  const [ticket] = await tx.query<GivableTicket[]>(
    `select ticket.holder_email as "holderEmail", ticket.holder_key as "holderKey", ticket.admission,
       trim(ticket.first_name || ' ' || ticket.last_name) as name,
       (select count(*)::int from ticket_transfer where ticket_id = ticket.id and created_at > now() - interval '1 hour') as recently,
       (select count(*)::int from ticket_transfer where ticket_id = ticket.id and created_at > now() - interval '1 day') as today
     from ticket join event on event.id = ticket.event_id
     where ticket.id = $1 and ticket.reservation_id = $2 and ticket.code_version = $3 and ${isGivableSql(assumed)}`,
    [id, reservationId, codeVersion],
  );
  return ticket;
}

/**
 * Refuses an offer to the holder, and one too many of a ticket.
 * @param key of the person who is to get it; `buyerKey` of the buyer
 * @throws RefusedInput on `email`
 */
export function refuseOffer(ticket: GivableTicket, { codeVersion }: SeenTicket, key: string, buyerKey: string): void {
  const say = ticket.admission ? refusals : goodsRefusals;
  if (key === (ticket.holderKey ?? buyerKey)) throw new RefusedInput('email', say.sameHolder);
  const { perHour, perDay, transfersInAll } = mostOffers;
  if (ticket.recently >= perHour) throw new RefusedInput('email', say.tooOften);
  if (ticket.today >= perDay || codeVersion >= transfersInAll) throw new RefusedInput('email', say.tooOftenToday);
}

/**
 * Refuses one more ticket to a person to whom too many were offered, or who accepted too many, within a day. Those of different events
 * count one after another.
 * @throws RefusedInput on `email`
 */
export async function refuseTooMany(tx: Tx, key: string, what: 'offered' | 'accepted'): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} transfers to ${key}`]);
  const [got] = await tx.query<{ count: number }[]>(
    `select count(*)::int as count from ticket_transfer where to_key = $1 and ${counted[what]} > now() - interval '1 day'`,
    [key],
  );
  if ((got?.count ?? 0) >= mostOffers.toOnePerson) throw new RefusedInput('email', texts.localized('transfers.tooMany'));
}

const counted = {
  offered: 'created_at',
  accepted: `case when state = 'accepted' then coalesce(decided_at, created_at) end`,
} as const;
