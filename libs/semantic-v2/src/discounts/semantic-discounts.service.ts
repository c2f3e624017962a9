import { Injectable } from '@nestjs/common';
import { entityTag, JsonList, reply, toPage, type PageQuery, type Preconditions, type Reply } from '#http';
import { bookingProblem, DiscountsService, type CountedDiscount } from '#tickets';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { toDiscountChange, toNewDiscount, type DiscountChangeBody, type NewDiscountBody } from './discount-body.dto.js';
import { toDiscount, type DiscountAnswer } from './discount.dto.js';

/** Discounts without a code of the current tenant. */
@Injectable()
export class SemanticDiscountsService {
  constructor(private readonly discounts: DiscountsService) {}

  async list(query: PageQuery): Promise<Reply<JsonList<DiscountAnswer>>> {
    const page = toPage(query);
    const { discounts, total } = await this.discounts.list(page);
    const list = new JsonList<DiscountAnswer>();
    list.add(discounts.map(toDiscount));
    return reply(list, { member: 'results', page: { page, total } });
  }

  async create(body: NewDiscountBody): Promise<Reply<DiscountAnswer>> {
    const discount = await this.discounts.create(toNewDiscount(body));
    return answer(discount, `/api/v2/discounts/${discount.id}/`);
  }

  async get(id: string): Promise<Reply<DiscountAnswer>> {
    return answer(await this.discounts.find(id));
  }

  async change(id: string, body: DiscountChangeBody, conditions: Preconditions): Promise<Reply<DiscountAnswer>> {
    const discount = await this.discounts.update(id, toDiscountChange(body), (current) => {
      conditions.check({ tags: [entityTag(toDiscount(current))] });
      refuseOtherThanAnswered(body, toDiscount(current), ['identifier', 'uses', 'spent']);
    });
    return answer(discount);
  }
}

/** @throws Problem `discount.unknown` when there is none */
function answer(discount: CountedDiscount | undefined, location?: string): Reply<DiscountAnswer> {
  if (!discount) throw bookingProblem('discount.unknown');
  return reply(toDiscount(discount), { location });
}
