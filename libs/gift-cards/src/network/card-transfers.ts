import { fromCents, sumOf, toCents } from '#kernel';
import { JobRefused } from '#jobs';
import type { Tx } from '#tenancy';
import { lockCard } from '../rows/card-rows.js';

/** What passes between the venue that issued a card and one where it pays. Both have a movement with this id and time. */
export interface CardTransfer {
  readonly id: string;
  /** Decimal text, positive. */
  readonly amount: string;
  /** When it left the first of both, as PostgreSQL writes it. */
  readonly at: string;
}

/** What comes back to the venue that issued the card. */
export type ReturnedTransfer = CardTransfer & { readonly kind: 'release' | 'refund' };

/** SQL: a card $1 of the own venue and those that replaced it. */
const chainSql = `with recursive chain as (select id, replaced_by_id from gift_card where id = $1
  union all select next.id, next.replaced_by_id from chain join gift_card next on next.id = chain.replaced_by_id)`;

/** At the venue that issued a locked card: takes an amount from it for another venue. @param amount decimal text, at most the balance */
export async function sendTransfer(tx: Tx, cardId: string, peerId: string, amount: string): Promise<CardTransfer> {
  const [sent] = await tx.query<[CardTransfer]>(
    `insert into gift_card_movement (gift_card_id, kind, amount, transfer_id, peer_id)
     values ($1, 'payment', -$2::numeric, gen_random_uuid(), $3)
     returning transfer_id as id, (-amount)::text as amount, created_at::text as at`,
    [cardId, amount, peerId],
  );
  return sent;
}

/** What was sent to other venues with a card, before as many seconds, and since a week: what is older was looked at often enough. */
export function sentTransfers(tx: Tx, cardId: string, seconds: number): Promise<(CardTransfer & { peerId: string; isRecent: boolean })[]> {
  return tx.query(
    `select transfer_id as id, (-amount)::text as amount, created_at::text as at, peer_id as "peerId",
       created_at > statement_timestamp() - make_interval(secs => $2) as "isRecent"
     from gift_card_movement where gift_card_id = $1 and kind = 'payment' and transfer_id is not null
       and created_at > statement_timestamp() - interval '7 days' order by created_at, id`,
    [cardId, seconds],
  );
}

/** At the venue where a card pays: the card is worth what arrived, each transfer once. Locks the card. */
export async function receiveTransfers(tx: Tx, cardId: string, issuerId: string, sent: readonly CardTransfer[]): Promise<void> {
  await lockCard(tx, cardId);
  for (const { id, amount, at } of sent)
    await tx.query(
      `insert into gift_card_movement (id, gift_card_id, kind, amount, transfer_id, peer_id, created_at)
       values ($1, $2, 'network', $3, $1, $4, $5::timestamptz) on conflict do nothing`,
      [id, cardId, amount, issuerId, at],
    );
}

/** At the venue where a card pays: sends back what is left of it. @returns whether something was left */
export async function sendRest(tx: Tx, cardId: string): Promise<boolean> {
  const card = await lockCard(tx, cardId);
  if (!card || toCents(card.balance) <= 0) return false;
  await tx.query(
    `insert into gift_card_movement (gift_card_id, kind, amount, transfer_id, peer_id) values ($1, 'network', $2, gen_random_uuid(), $3)`,
    [cardId, `-${card.balance}`, card.issuerId],
  );
  return true;
}

/** What was sent back of a card of another venue. */
export function returnedTransfers(tx: Tx, cardId: string): Promise<ReturnedTransfer[]> {
  return tx.query(
    `select transfer_id as id, (-movement.amount)::text as amount, movement.created_at::text as at,
       case payment.kind when 'refund' then 'refund' else 'release' end as kind
     from gift_card_movement movement left join payment on payment.id = movement.transfer_id
     where gift_card_id = $1 and movement.kind = 'network' and movement.amount < 0 order by movement.created_at, movement.id`,
    [cardId],
  );
}

/**
 * At the venue that issued a card: gives back what another venue sent, each transfer once, and not more than that venue has taken. A card
 * that was replaced gives to the one that replaces it. Locks the card that was sent from.
 * @throws JobRefused when the other venue did not take as much
 */
export async function takeBack(tx: Tx, cardId: string, peerId: string, returned: readonly ReturnedTransfer[]): Promise<void> {
  await lockCard(tx, cardId);
  const known = await tx.query<{ id: string; amount: string; kind: string; at: Date }[]>(
    `${chainSql} select transfer_id as id, amount, kind, created_at as at from gift_card_movement join chain on chain.id = gift_card_id
     where peer_id = $2 order by created_at`,
    [cardId, peerId],
  );
  const ids = new Set(known.map(({ id }) => id));
  let left = -toCents(sumOf(known));
  for (const { id, amount, at, kind } of returned.filter((one) => !ids.has(one.id))) {
    left -= toCents(amount);
    if (left < 0) throw new JobRefused(`${peerId} gives back ${fromCents(-left)} more than it has taken`);
    await tx.query(
      `insert into gift_card_movement (id, gift_card_id, kind, amount, transfer_id, peer_id, created_at)
       select $2, (gift_card_receiver($1, $3, $4::interval)).id, $5, $6, $2, $7, $8::timestamptz`,
      [cardId, id, known[0]?.at ?? null, kind === 'refund' ? '3 months' : '0', kind, amount, peerId, at],
    );
  }
}
