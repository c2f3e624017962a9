import { Body, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  BodyPipe,
  Describe,
  inTurnUnlessPaged,
  PageQuery,
  showPages,
  DeprecatedBy,
  TakesForm,
  toPage,
  WholeList,
} from '#http';
import { Access, demandScope, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { Prices } from '../prices.service.js';
import { LegacyPriceBody, legacyPricesApi, toLegacyPrice, toNewPrice } from './legacy-prices.dto.js';
import { inLegacyWords } from './legacy-refusals.dto.js';

const successor = '/api/v2/products/';

/** Prices in the spelling of the first API. */
@Controller('api/prices')
@Access('guest', 'product')
export class LegacyPricesController {
  private readonly pipe = new BodyPipe();

  constructor(private readonly prices: Prices) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe(legacyPricesApi.list)
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const page = toPage(query);
    const { prices, total } = await this.prices.list({ publishedOnly: !request.principal, page });
    showPages(request, response, page, total);
    response.set('Cache-Control', 'private, no-cache').vary('Authorization');
    return prices.map(toLegacyPrice);
  }

  /** Any member makes a price; nothing at all lists them. */
  @NeedsModule('membership', 'ticketing')
  @Post()
  @HttpCode(200)
  @DeprecatedBy(successor)
  @TakesForm({ required: ['product', 'name', 'prix'] })
  @Describe(legacyPricesApi.createOrList)
  async createOrList(
    @Body() body: unknown,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    if (isNothing(body)) {
      if (request.principal) demandScope(request, 'product:read');
      return inTurnUnlessPaged(request, response, () => this.list(query, request, response));
    }
    demandScope(request, 'product:write');
    const checked = (await this.pipe.transform(body, { type: 'body', metatype: LegacyPriceBody })) as LegacyPriceBody;
    const price = await inLegacyWords(this.prices.create(toNewPrice(checked)));
    response.status(201);
    return toLegacyPrice(price);
  }
}

function isNothing(body: unknown): boolean {
  if (body === undefined) return true;
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
