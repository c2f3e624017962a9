import { createHash } from 'node:crypto';
import { currentTenant, liveTenantSql, type PreparedStatement, type Tx } from '#tenancy';

/** SQL: whether cards of one venue pay at another one: both are members of a network and agree there. */
const agreesSql = (issuer: string, payee: string): string => `exists (select from shared.network_member gives
  join shared.network_member takes on takes.network_id = gives.network_id
  where gives.tenant_id = ${issuer} and gives.state = 'accepted' and gives.gives_cards
    and takes.tenant_id = ${payee} and takes.state = 'accepted' and takes.takes_cards)`;

/** A card of another venue that has a code. */
export interface ListedCard {
  readonly issuerId: string;
  readonly cardId: string;
  /** Whether it pays at the venue that asks. */
  readonly pays: boolean;
}

/** The venues that issued a card with a code, of the server that is asked. A copy of a venue has the codes of the first one. */
export const listedCardStatement: PreparedStatement = {
  name: 'network-card-find',
  text: `select card.tenant_id as "issuerId", card.card_id as "cardId", ${agreesSql('card.tenant_id', '$2::uuid')} as pays
    from shared.network_card card join shared.tenant on tenant.id = card.tenant_id
    where card.code_hash = $1 and card.tenant_id <> $2 and ${liveTenantSql('tenant')} order by pays desc, card.tenant_id limit 5`,
};

/** Whether a venue takes cards of others at all. */
export const takesCardsStatement: PreparedStatement = {
  name: 'network-card-takes',
  text: `select exists (select from shared.network_member where tenant_id = $1 and state = 'accepted' and takes_cards) as takes`,
};

/** Whether cards of a venue (the current tenant) pay at another one. */
export async function agrees(tx: Tx, payeeId: string): Promise<boolean> {
  const values = [currentTenant().id, payeeId];
  const [row] = await tx.query<{ agrees: boolean }[]>(`select ${agreesSql('$1::uuid', '$2::uuid')} as agrees`, values);
  return row?.agrees === true && currentTenant().state === 'active';
}

/** How codes are listed. */
export const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Lists issued cards of the current tenant with their venue. @param cardId default: all */
export async function listCards(tx: Tx, cardId?: string): Promise<void> {
  await tx.query(
    `insert into shared.network_card (code_hash, tenant_id, card_id)
     select sha256(convert_to(code, 'UTF8')), $1, id from gift_card where code is not null and ($2::uuid is null or id = $2)
     on conflict do nothing`,
    [currentTenant().id, cardId ?? null],
  );
}

/** The id that a card of another venue has here, always the same one, so that two requests add it once. */
export function idOfForeignCard(issuerId: string, cardId: string): string {
  const hash = createHash('sha256').update(`${issuerId} ${cardId}`).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) % 4) + 8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
