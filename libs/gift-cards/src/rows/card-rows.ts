import { actorColumns } from '#kernel';
import { readableText } from '#tickets';
import type { Tx } from '#tenancy';
import { GiftCard, type GiftCardState } from './gift-card.entity.js';

/** 74 bits: nobody finds a card by trying. */
const codeLength = 16;
const spelling = /^[A-Z\d]{16}$/;

/** A card with what it is worth now. */
export type ValuedGiftCard = GiftCard & {
  readonly state: GiftCardState;
  /** Decimal text. */
  readonly balance: string;
};

/** @returns a new code, as it is stored */
export const newCardCode = (): string => readableText(codeLength);

/** How a typed code is stored and compared; undefined: it is none. */
export function cardCodeKey(typed: string): string | undefined {
  const key = typed
    .slice(0, 100)
    .normalize('NFKC')
    .replaceAll(/[\s._-]/g, '')
    .toUpperCase();
  return spelling.test(key) ? key : undefined;
}

/** A code in groups of four, as people read it. */
export const shownCardCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join('-');

/** The end of a code, which tells cards apart and is worth nothing. */
export const codeTail = (code: string | null): string => (code === null ? '' : `…${code.slice(-4)}`);

/** The end of the code of a card, also of one of another venue. */
export const tailOf = ({ code, codeTail: tail }: Pick<GiftCard, 'code' | 'codeTail'>): string => tail ?? codeTail(code);

/** SQL: the state of a row of `gift_card`. */
export const stateSql = 'gift_card_state(gift_card)';
const balanceSql = 'gift_card_balance(gift_card.id)';

/**
 * SQL: whether the venue has issued cards, or takes those of a network: forms have a field for them then.
 * @param schema with a final point
 */
export const hasCardsSql = (schema = ''): string => `(exists (select 1 from ${schema}gift_card where issued_at is not null
  and issuer_id is null) or exists (select 1 from shared.network_member join shared.tenant on tenant.id = network_member.tenant_id
  where tenant.schema_name = ${schema === '' ? 'current_schema()' : `trim('${schema}', '".')`} and network_member.state = 'accepted'
    and network_member.takes_cards))`;

/** Adds state and balance. The order of the cards stays. */
export async function valued(tx: Tx, cards: readonly GiftCard[]): Promise<ValuedGiftCard[]> {
  if (cards.length === 0) return [];
  const rows = await tx.query<{ id: string; state: GiftCardState; balance: string }[]>(
    `select id, ${stateSql} as state, ${balanceSql}::text as balance from gift_card where id = any($1)`,
    [cards.map(({ id }) => id)],
  );
  const values = new Map(rows.map(({ id, state, balance }) => [id, { state, balance: Number(balance).toFixed(2) }]));
  return cards.flatMap((card) => {
    const value = values.get(card.id);
    return value ? [Object.assign(card, value)] : [];
  });
}

/** Locks a card behind everything that it pays. @returns its value, as of after the lock; undefined: there is none */
export async function lockCard(tx: Tx, id: string): Promise<ValuedGiftCard | undefined> {
  const card = await tx.findOne(GiftCard, { where: { id }, lock: { mode: 'for_no_key_update' } });
  // A second statement, because only it sees the movements that the first one waited for.
  return card ? (await valued(tx, [card]))[0] : undefined;
}

/** Adds a movement without a payment. @param amount decimal text */
export async function addMovement(tx: Tx, giftCardId: string, kind: 'issue' | 'replacement' | 'withdrawal', amount: string): Promise<void> {
  await tx.query(`insert into gift_card_movement (gift_card_id, kind, amount, by_user_id, by_key_id) values ($1, $2, $3, $4, $5)`, [
    giftCardId,
    kind,
    amount,
    ...actorColumns(),
  ]);
}
