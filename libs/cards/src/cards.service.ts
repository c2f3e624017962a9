import { Injectable } from '@nestjs/common';
import { RefusedInput, violatedConstraint } from '#kernel';
import { TenantDb } from '#tenancy';
import { Card, type CardState } from './card.entity.js';
import { cardFaults, checkedCard, type TypedCard } from './card-rules.js';

/** A card as an operator writes it. */
export interface NewCard extends TypedCard {
  readonly originTenantId?: string | null;
}

/** Manages NFC cards, which are shared by all tenants. Only operators of the server change them. */
@Injectable()
export class CardsService {
  constructor(private readonly db: TenantDb) {}

  /** @param tag as `parseTag` returns it */
  async find(tag: string): Promise<Card | null> {
    return this.db.shared((tx) => tx.findOneBy(Card, { tag }));
  }

  /**
   * The e-mail key of an active card's owner.
   * @param tag as `parseTag` returns it
   * @returns null when the card is unknown, blocked, lost or has no owner
   */
  async ownerKeyOf(tag: string): Promise<string | null> {
    const [row] = await this.db.sharedStatement<{ key: string | null }>(ownerStatement, [tag], true);
    return row?.key ?? null;
  }

  /** Creates a card. @throws RefusedInput on `tag`, `number`, `ownerEmail`, `originTenantId`; all faults of the texts at once */
  async create(input: NewCard): Promise<Card> {
    const columns = { ...checkedCard(input), originTenantId: input.originTenantId ?? null };
    return this.write(() =>
      this.db.shared(async (tx) => {
        const { identifiers } = await tx.insert(Card, columns);
        return tx.findOneByOrFail(Card, { id: (identifiers[0] as { id: string }).id });
      }),
    );
  }

  /** Replaces all fields of a card. @returns false when there is none @throws RefusedInput as `create` */
  async change(id: string, input: NewCard): Promise<boolean> {
    const columns = { ...checkedCard(input), originTenantId: input.originTenantId ?? null };
    return this.write(() =>
      this.db.shared(async (tx) => (await tx.update(Card, { id }, { ...columns, changedAt: () => 'now()' })).affected === 1),
    );
  }

  /** Blocks a card, marks it as lost, or makes it active; scans see the change at once. @returns false when there is none */
  async setState(id: string, state: CardState): Promise<boolean> {
    return this.db.shared(async (tx) => (await tx.update(Card, { id }, { state, changedAt: () => 'now()' })).affected === 1);
  }

  /** Deletes a card; does nothing when it does not exist. */
  async remove(id: string): Promise<void> {
    await this.db.shared((tx) => tx.delete(Card, { id }));
  }

  private async write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'card_tag_key') throw new RefusedInput('tag', cardFaults.tagTaken);
      if (constraint === 'card_number_key') throw new RefusedInput('number', cardFaults.numberTaken);
      if (constraint === 'card_origin_tenant_id_fkey') throw new RefusedInput('originTenantId', cardFaults.originTenantId);
      throw error;
    }
  }
}

const ownerStatement = {
  name: 'card-owner',
  text: `select owner_key as key from shared.card where tag = $1 and state = 'active'`,
};
