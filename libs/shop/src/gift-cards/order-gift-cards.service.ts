import { GiftCardRedemptionService, type GiftCardRefusal, giftCardRefusalText, RefusedGiftCard, restWithCards } from '#gift-cards';
import { seeOther, type Redirection, type Reply } from '#http';
import { Injectable } from '@nestjs/common';
import type { OrderGiftCards } from './redeem-form.js';

/** The gift cards of orders on the pages. */
@Injectable()
export class OrderGiftCardsService {
  constructor(private readonly cards: GiftCardRedemptionService) {}

  /**
   * What the pages show of the cards of an order that is not completed.
   * @param amount of the order, decimal text
   * @param refusal from the address of the page
   */
  async of(orderId: string, amount: string, refusal?: string): Promise<OrderGiftCards> {
    const chosen = await this.cards.chosen(orderId);
    return { chosen, rest: restWithCards(amount, [], chosen), fault: giftCardRefusalText(refusal) };
  }

  /**
   * Enters a card, or gives the entered ones up when nothing was typed.
   * @param client IP address of the buyer
   * @param path of the page that shows it
   */
  async enter(orderId: string, typed: string, client: string, path: string): Promise<Reply<Redirection>> {
    if (typed.trim() === '') {
      await this.cards.forget(orderId);
      return seeOther(path);
    }
    try {
      await this.cards.choose(orderId, await this.cards.enter(typed, { client }));
      return seeOther(`${path}#gift-card`);
    } catch (error) {
      if (!(error instanceof RefusedGiftCard)) throw error;
      return seeOther(`${path}?gift=${error.reason satisfies GiftCardRefusal}#gift-card`);
    }
  }
}
