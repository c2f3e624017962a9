import { Injectable } from '@nestjs/common';
import { GiftCardsService, type WholeGiftCard } from '#gift-cards';
import { entityTag, JsonList, reply, toPage, type PageQuery, type Preconditions, type Reply } from '#http';
import { bookingProblem } from '#tickets';
import { toHandIssued, type GiftCardChangeBody, type NewGiftCardBody } from './gift-card-body.dto.js';
import { toGiftCard, type GiftCardAnswer } from './gift-card.dto.js';

/** Gift cards of the current tenant. */
@Injectable()
export class SemanticGiftCardsService {
  constructor(private readonly cards: GiftCardsService) {}

  async list(query: PageQuery): Promise<Reply<JsonList<GiftCardAnswer>>> {
    const page = toPage(query);
    const { cards, total } = await this.cards.list(page);
    const list = new JsonList<GiftCardAnswer>();
    list.add(cards.map((card) => toGiftCard(card)));
    return reply(list, { member: 'results', page: { page, total } });
  }

  async issue(body: NewGiftCardBody): Promise<Reply<GiftCardAnswer>> {
    const card = await this.cards.issue(toHandIssued(body));
    return reply(toGiftCard(card, { ...card, withCode: true }), {
      version: toGiftCard(card, card),
      location: `/api/v2/giftCards/${card.id}/`,
    });
  }

  async get(id: string): Promise<Reply<GiftCardAnswer>> {
    return answer(await this.cards.find(id));
  }

  async change(id: string, { blocked, note }: GiftCardChangeBody, conditions: Preconditions): Promise<Reply<GiftCardAnswer>> {
    const check = (current: WholeGiftCard): void => conditions.check({ tags: [entityTag(toGiftCard(current, current))] });
    const changed = await this.cards.setBlocked(id, blocked, note, check);
    if (!changed && (await this.cards.find(id))?.issuedAt) throw bookingProblem('gift_card.over');
    return answer(changed);
  }
}

/** @throws Problem `gift_card.unknown` when there is none, or nobody has paid it yet */
function answer(card: WholeGiftCard | undefined): Reply<GiftCardAnswer> {
  if (!card?.issuedAt) throw bookingProblem('gift_card.unknown');
  return reply(toGiftCard(card, card));
}
