import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { Prices, productProblem, Products, type Price } from '#catalogue';
import {
  checkPreconditions,
  Describe,
  entityTag,
  applyPrefer,
  showListValidators,
  showValidators,
  uuidParam,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { NewOfferBody, OfferChangeBody, toNewPrice, toPriceChange } from './offer-body.dto.js';
import { toOffer } from './product.dto.js';
import { productId as productIdParam } from './products.controller.js';
import { offersApi } from './products.api.js';
import { inOfferWords } from '../shared/refusals.dto.js';

const offerId = uuidParam(() => productProblem('product.offer_unknown'));

/** Offers (prices) of one product as schema.org Offer. */
@Controller('api/v2/products/:productId/offers')
@Access('key', 'product')
export class SemanticOffersController {
  constructor(
    private readonly products: Products,
    private readonly prices: Prices,
  ) {}

  @Get()
  @Describe(offersApi.list)
  async list(
    @Param('productId', productIdParam) productId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const product = await this.products.find(productId);
    if (!product) throw productProblem('product.unknown');
    const answer = { results: product.prices.map(toOffer) };
    showListValidators(response, answer);
    return answer;
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Describe(offersApi.create)
  async create(
    @Param('productId', productIdParam) productId: string,
    @Body() body: NewOfferBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    if (!(await this.products.find(productId))) throw productProblem('product.unknown');
    const price = await inOfferWords(this.prices.create({ ...toNewPrice(body), productId }));
    response.location(`/api/v2/products/${productId}/offers/${price.id}/`);
    return applyPrefer(request, response, answer(price, response));
  }

  @Get(':id')
  @Describe(offersApi.get)
  async get(
    @Param('productId', productIdParam) productId: string,
    @Param('id', offerId) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answer(known(await this.prices.find(productId, id)), response);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Describe(offersApi.change)
  async change(
    @Param('productId', productIdParam) productId: string,
    @Param('id', offerId) id: string,
    @Body() body: OfferChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.prices.update(id, toPriceChange(body), (current) => {
      if (current.productId !== productId) throw productProblem('product.offer_unknown');
      check(request, current);
      refuseOtherThanAnswered(body, toOffer(current), ['identifier']);
    });
    return applyPrefer(request, response, answer(known(await inOfferWords(work)), response));
  }

  @Delete(':id')
  @Describe(offersApi.remove)
  @HttpCode(204)
  async remove(
    @Param('productId', productIdParam) productId: string,
    @Param('id', offerId) id: string,
    @Req() request: Request,
  ): Promise<void> {
    const removed = await inOfferWords(this.prices.remove(productId, id, (current) => check(request, current)));
    if (!removed) throw productProblem('product.offer_unknown');
  }
}

function check(request: Request, current: Price): void {
  checkPreconditions(request, { tags: [entityTag(toOffer(current))] });
}

function answer(price: Price, response: Response): object {
  const shown = toOffer(price);
  showValidators(response, shown);
  return shown;
}

function known(price: Price | undefined): Price {
  if (!price) throw productProblem('product.offer_unknown');
  return price;
}
