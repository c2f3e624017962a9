import {
  GiftCardRedemptionService,
  type GiftCardRefusal,
  giftCardRefusalOf,
  giftCardRefusalText,
  RefusedGiftCard,
  restWithCards,
} from '#gift-cards';
import { seeOther, type Redirection, type Reply } from '#http';
import { fromCents, sumOf, toCents } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { OrderGiftCards } from './redeem-form.js';

interface Shown {
  readonly amount: string;
  readonly beside?: string;
  readonly refusal?: string | undefined;
}

/** The gift cards of orders on the pages. */
@Injectable()
export class OrderGiftCardsService {
  constructor(private readonly cards: GiftCardRedemptionService) {}

  /**
   * What the pages show of the cards of an order that is not completed.
   * @param how.amount of the order, decimal text
   * @param how.beside what of it cards do not pay, decimal text
   * @param how.refusal from the address of the page
   */
  async of(orderId: string, { amount, beside = '0', refusal }: Shown): Promise<OrderGiftCards> {
    const found = await this.cards.chosen(orderId).catch((error: unknown) => {
      if (giftCardRefusalOf(error) === undefined) throw error;
      return giftCardRefusalOf(error);
    });
    const isSilent = !Array.isArray(found);
    const chosen = isSilent ? [] : found;
    const payable = fromCents(toCents(amount) - toCents(beside));
    const rest = sumOf([{ amount: beside }, { amount: restWithCards(payable, [], chosen) }]);
    return { chosen, rest, isSilent, fault: giftCardRefusalText(isSilent ? found : refusal) };
  }

  /**
   * Enters a card, or gives the entered ones up when nothing was typed.
   * @param client IP address of the buyer
   * @param path of the page that shows it
   */
  async enter(orderId: string, typed: string, client: string, path: string): Promise<Reply<Redirection>> {
    try {
      if (typed.trim() === '') {
        await this.cards.forget(orderId);
        return seeOther(path);
      }
      await this.cards.choose(orderId, await this.cards.enter(typed, { client }));
      return seeOther(`${path}#gift-card`);
    } catch (error) {
      if (!(error instanceof RefusedGiftCard)) throw error;
      return seeOther(`${path}?gift=${error.reason satisfies GiftCardRefusal}#gift-card`);
    }
  }
}
