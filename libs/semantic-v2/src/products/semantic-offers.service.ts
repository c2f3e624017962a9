import { Injectable } from '@nestjs/common';
import { PricesService, productProblem, ProductsService, type Price, type WholeProduct } from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { toNewPrice, toPriceChange, type NewOfferBody, type OfferChangeBody } from './offer-body.dto.js';
import { toOffer, type OfferAnswer, type OfferList } from './product.dto.js';

/** Offers (prices) of one product as schema.org Offer. */
@Injectable()
export class SemanticOffersService {
  constructor(
    private readonly products: ProductsService,
    private readonly prices: PricesService,
  ) {}

  async list(productId: string): Promise<Reply<OfferList>> {
    return reply({ results: (await this.product(productId)).prices.map(toOffer) });
  }

  async create(productId: string, body: NewOfferBody): Promise<Reply<OfferAnswer>> {
    await this.product(productId);
    const price = await this.prices.create({ ...toNewPrice(body), productId });
    return answer(price, `/api/v2/products/${productId}/offers/${price.id}/`);
  }

  async get(productId: string, id: string): Promise<Reply<OfferAnswer>> {
    return answer(await this.prices.find(productId, id));
  }

  async change(productId: string, id: string, body: OfferChangeBody, conditions: Preconditions): Promise<Reply<OfferAnswer>> {
    const price = await this.prices.update(id, toPriceChange(body), (current) => {
      if (current.productId !== productId) throw productProblem('product.offer_unknown');
      check(conditions, current);
      refuseOtherThanAnswered(body, toOffer(current), ['identifier']);
    });
    return answer(price);
  }

  async remove(productId: string, id: string, conditions: Preconditions): Promise<void> {
    const removed = await this.prices.remove(productId, id, (current) => check(conditions, current));
    if (!removed) throw productProblem('product.offer_unknown');
  }

  /** @throws Problem `product.unknown` */
  private async product(id: string): Promise<WholeProduct> {
    const product = await this.products.find(id);
    if (!product) throw productProblem('product.unknown');
    return product;
  }
}

/** @throws Problem `product.offer_unknown` when there is none */
function answer(price: Price | undefined, location?: string): Reply<OfferAnswer> {
  if (!price) throw productProblem('product.offer_unknown');
  return reply(toOffer(price), { location });
}

function check(conditions: Preconditions, current: Price): void {
  conditions.check({ tags: [entityTag(toOffer(current))] });
}
