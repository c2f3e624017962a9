import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { productProblem } from '#catalogue';
import { AppliesPrefer, Describe, IfMatch, MapsRefusals, Preconditions, UuidParam, Versioned, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { offerPointers } from '../shared/refusals.dto.js';
import { NewOfferBody, OfferChangeBody } from './offer-body.dto.js';
import { offersApi } from './products.api.js';
import { SemanticOffersService } from './semantic-offers.service.js';

const ProductId = (): ParameterDecorator => UuidParam('productId', () => productProblem('product.unknown'));
const OfferId = (): ParameterDecorator => UuidParam('id', () => productProblem('product.offer_unknown'));

/** Offers (prices) of one product as schema.org Offer. */
@Controller('api/v2/products/:productId/offers')
@Access('key', 'product')
@MapsRefusals(offerPointers)
export class SemanticOffersController {
  constructor(private readonly offers: SemanticOffersService) {}

  @Get()
  @Versioned({ list: true })
  @Describe(offersApi.list)
  list(@ProductId() productId: string): Promise<Reply<object>> {
    return this.offers.list(productId);
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe(offersApi.create)
  create(@ProductId() productId: string, @Body() body: NewOfferBody): Promise<Reply<object>> {
    return this.offers.create(productId, body);
  }

  @Get(':id')
  @Versioned()
  @Describe(offersApi.get)
  get(@ProductId() productId: string, @OfferId() id: string): Promise<Reply<object>> {
    return this.offers.get(productId, id);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe(offersApi.change)
  change(
    @ProductId() productId: string,
    @OfferId() id: string,
    @Body() body: OfferChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.offers.change(productId, id, body, conditions);
  }

  @Delete(':id')
  @Describe(offersApi.remove)
  @HttpCode(204)
  remove(@ProductId() productId: string, @OfferId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.offers.remove(productId, id, conditions);
  }
}
