import { Injectable } from '@nestjs/common';
import { ScopeSlot, toCents } from '#kernel';
import type { Tx } from '#tenancy';
import { lockCard, type ValuedGiftCard } from '../rows/card-rows.js';
import type { GiftCard } from '../rows/gift-card.entity.js';
import { RefusedGiftCard } from '../rows/refused-gift-card.js';
import { NetworkCardsService, type TakenValue } from './network-cards.service.js';

/** A sale needs (more of) a card of another venue: its transaction rolls back, the amount is fetched, and the sale is repeated. */
class CardValueWanted extends Error {
  override readonly name = 'CardValueWanted';

  constructor(
    readonly code: string,
    readonly cents: number,
  ) {
    super('The value of the gift card is at another venue.');
  }
}

interface BroughtCard {
  readonly card: Pick<GiftCard, 'id' | 'issuerId' | 'issuerCardId'>;
  readonly taken: TakenValue[];
  /** Nothing is left at its venue. */
  isEmpty: boolean;
}

/** The cards of other venues with which a sale is paid, by code. */
type BroughtCards = Map<string, BroughtCard>;

/** Those of the sale that runs. */
const broughtCards = new ScopeSlot<BroughtCards>('brought-gift-cards');

/** Gift cards of other venues in sales that one transaction makes and pays. */
@Injectable()
export class BroughtCardsService {
  constructor(private readonly network: NetworkCardsService) {}

  /**
   * Runs a sale that is paid at the venue, also with cards of other venues: their value is fetched between two attempts of its
   * transaction, because it is at another venue, perhaps on another database server.
   * @throws RefusedGiftCard
   */
  async sell<Result>(sale: () => Promise<Result>): Promise<Result> {
    if (broughtCards.get()) return sale();
    const brought: BroughtCards = new Map();
    try {
      for (;;) {
        try {
          return await broughtCards.run(brought, sale);
        } catch (error) {
          if (!(error instanceof CardValueWanted)) throw error;
          await this.bring(brought, error);
        }
      }
    } finally {
      for (const { taken } of brought.values()) await this.network.giveBack(taken);
    }
  }

  private async bring(brought: BroughtCards, { code, cents }: CardValueWanted): Promise<void> {
    const known = brought.get(code);
    const card = known?.card ?? (await this.network.look(code));
    const taken = known?.taken ?? [];
    if (!card) throw new RefusedGiftCard('unknown');
    const value = await this.network.take(card, cents);
    if (value) taken.push(value);
    brought.set(code, { card, taken, isEmpty: toCents(value?.transfer.amount ?? '0') < cents });
  }

  /**
   * A card of another venue with what was brought of it, in the transaction of a sale. It locks the card.
   * @returns undefined outside of `sell`
   * @throws CardValueWanted when that is not enough
   */
  async find(tx: Tx, code: string, cents: number): Promise<ValuedGiftCard | undefined> {
    const brought = broughtCards.get();
    if (!brought) return undefined;
    const known = brought.get(code);
    if (!known) throw new CardValueWanted(code, cents);
    await this.network.arrive(tx, known.taken, known.card.id);
    const card = await lockCard(tx, known.card.id);
    const missing = cents - toCents(card?.balance ?? '0');
    if (missing > 0 && !known.isEmpty) throw new CardValueWanted(code, missing);
    return card;
  }
}
