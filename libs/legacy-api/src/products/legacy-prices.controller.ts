import { PricesService } from '#catalogue';
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  BodyPipe,
  DeprecatedBy,
  Describe,
  MapsRefusals,
  OptionalBody,
  PageQuery,
  reply,
  TakesForm,
  toPage,
  WhenListing,
  WholeList,
  type InTurn,
  type Reply,
} from '#http';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access, Caller, demandScope, NeedsModule, type Principal } from '#tenancy';
import { LegacyPrice, LegacyPriceBody, toLegacyPrice, toNewPrice } from './legacy-prices.dto.js';
import { legacyPointers } from './legacy-refusals.dto.js';

const shownToGuests = 'Everybody sees published prices of published products; a key with `product:read` sees all.';
const successor = '/api/v2/products/';

/** Prices in the format of the first API. */
@Controller('api/prices')
@ApiTags('First API')
@MapsRefusals(legacyPointers)
@Access('guest', 'product')
export class LegacyPricesController {
  private readonly pipe = new BodyPipe();

  constructor(private readonly prices: PricesService) {}

  @Get()
  @WholeList()
  @DeprecatedBy(successor)
  @Describe({ summary: 'Prices, the newest first', description: shownToGuests })
  @ApiOkResponse({ type: [LegacyPrice], description: 'The prices' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal | undefined): Promise<Reply<LegacyPrice[]>> {
    const page = toPage(query);
    const { prices, total } = await this.prices.list({ publishedOnly: !caller, page });
    return reply(prices.map(toLegacyPrice), {
      headers: { 'Cache-Control': 'private, no-cache' },
      vary: 'Authorization',
      page: { page, total },
    });
  }

  /** A body with any member creates a price; an empty one lists prices. */
  @NeedsModule('membership', 'ticketing')
  @Post()
  @HttpCode(200)
  @DeprecatedBy(successor)
  @TakesForm({ required: ['product', 'name', 'prix'] })
  @OptionalBody(LegacyPriceBody)
  @Describe({
    summary: 'A new price; without a body, or with an empty object, the list',
    description: `${shownToGuests} Making one needs \`product:write\`.`,
  })
  @ApiOkResponse({ type: [LegacyPrice], description: 'The prices' })
  @ApiCreatedResponse({ type: LegacyPrice, description: 'Made' })
  async createOrList(
    @Body() body: unknown,
    @Query() query: PageQuery,
    @Caller() caller: Principal | undefined,
    @WhenListing() inTurn: InTurn,
  ): Promise<Reply<LegacyPrice | LegacyPrice[]>> {
    if (isNothing(body)) {
      if (caller) demandScope(caller, 'product:read');
      return inTurn(() => this.list(query, caller));
    }
    demandScope(caller, 'product:write');
    const checked = (await this.pipe.transform(body, { type: 'body', metatype: LegacyPriceBody })) as LegacyPriceBody;
    return reply(toLegacyPrice(await this.prices.create(toNewPrice(checked))), { status: 201 });
  }
}

function isNothing(body: unknown): boolean {
  if (body === undefined) return true;
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
