import type { AccountPerson } from '#holders';
import { validMembershipSql } from '#tickets';
import { Injectable } from '@nestjs/common';
import { currentTenant, TenantDb } from '#tenancy';
import type { Card } from './card.entity.js';
import { parseTag } from './card-tag.js';
import { CardsService } from './cards.service.js';

/** The part of a card that a tenant may see. */
export interface KnownCard {
  readonly card: Pick<Card, 'tag' | 'number' | 'state'>;
  /** Set when the owner is a member or a buyer of this tenant; null: somebody else owns it, or nobody. */
  readonly ownerEmail: string | null;
  /** The owner's currently valid membership of this tenant. */
  readonly membership: {
    readonly id: string;
    readonly product: string;
    readonly validFrom: Date;
    readonly validUntil: Date | null;
  } | null;
}

/** A card as its owner may see it. */
export type OwnCard = Pick<Card, 'tag' | 'number' | 'state'>;

interface Relation {
  readonly isKnown: boolean;
  readonly id: string | null;
  readonly product: string;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
}

/** Cards as one tenant sees them, without personal data of people who have no relation to it. */
@Injectable()
export class CardHoldersService {
  constructor(
    private readonly db: TenantDb,
    private readonly cards: CardsService,
  ) {}

  /**
   * The card as the current tenant may see it. A tenant sees the cards that it issued and those of its members and buyers.
   * @param text the tag in any notation
   * @returns undefined for cards that it may not see, whether or not they exist
   */
  async find(text: string): Promise<KnownCard | undefined> {
    const tag = parseTag(text);
    const card = tag === undefined ? null : await this.cards.find(tag);
    // Also runs without an owner, so that the response time does not reveal whether a card exists.
    const [relation] = await this.db.statement<Relation & Record<string, unknown>>(relationStatement, [card?.ownerKey ?? '']);
    if (!card) return undefined;
    const isKnown = relation?.isKnown ?? false;
    if (!isKnown && card.originTenantId !== currentTenant().id) return undefined;
    return {
      card,
      ownerEmail: isKnown ? card.ownerEmail : null,
      membership: relation?.id ? { ...relation, id: relation.id } : null,
    };
  }

  /** The cards of the owner of a verified address, in this spelling but for the case of its letters; at most 50. */
  ofOwner({ email, emailKey: key }: AccountPerson): Promise<OwnCard[]> {
    return this.db.sharedStatement<OwnCard>(ownStatement, [key, email]);
  }
}

const ownStatement = {
  name: 'card-of-owner',
  text: `select tag, number, state from shared.card where owner_key = $1 and lower(owner_email) = lower($2)
    order by created_at, id limit 50`,
};

/** $1 the owner's key. A person is known to a tenant by a paid membership, or by a paid or confirmed reservation. */
const relationStatement = {
  name: 'card-relation',
  text: `
    with held as (
      select m.id, p.name as product, m.valid_from, m.valid_until from {tenant}.membership m join {tenant}.product p on p.id = m.product_id
      where m.email_key = $1 and ${validMembershipSql('m')}
      order by m.valid_until desc nulls first, m.id limit 1
    )
    select h.id, h.product, h.valid_from as "validFrom", h.valid_until as "validUntil", (
      exists (select 1 from {tenant}.membership m where m.email_key = $1 and m.status = 'active')
      or exists (select 1 from {tenant}.reservation r where r.email_key = $1 and r.status in ('FA', 'P', 'PE', 'PN', 'V'))) as "isKnown"
    from (select 1) as one left join held h on true`,
};
