import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { productProblem } from '#catalogue';
import { AppliesPrefer, Describe, IfMatch, MapsRefusals, Preconditions, UuidParam, Versioned, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { offerPointers } from '../shared/refusals.dto.js';
import { NewOfferBody, OfferChangeBody } from './offer-body.dto.js';
import { OfferAnswer, OfferList } from './product.dto.js';
import { SemanticOffersService } from './semantic-offers.service.js';

const unknown = ['product.unknown', 'product.offer_unknown'];
const ProductId = (): ParameterDecorator => UuidParam('productId', () => productProblem('product.unknown'));
const OfferId = (): ParameterDecorator => UuidParam('id', () => productProblem('product.offer_unknown'));

/** Offers (prices) of one product as schema.org Offer. */
@Controller('api/v2/products/:productId/offers')
@ApiTags('Products')
@ApiParam({ name: 'productId', description: 'UUID of the product.', type: String, example: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e' })
@ApiParam({ name: 'id', description: 'UUID of the offer.', type: String, example: '7c5d0c0e-53f1-4a3c-8d0c-3f6f6a8f5a10' })
@Access('key', 'product')
@MapsRefusals(offerPointers)
export class SemanticOffersController {
  constructor(private readonly offers: SemanticOffersService) {}

  @Get()
  @Versioned({ list: true })
  @Describe({ summary: 'The offers of a product', description: 'The oldest first.', problems: ['product.unknown'] })
  @ApiOkResponse({ type: OfferList, description: 'The offers' })
  list(@ProductId() productId: string): Promise<Reply<OfferList>> {
    return this.offers.list(productId);
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'A new offer of a product',
    description: 'It is sold at once unless `published` is false.',
    problems: ['product.unknown'],
  })
  @ApiCreatedResponse({ type: OfferAnswer, description: 'Made' })
  create(@ProductId() productId: string, @Body() body: NewOfferBody): Promise<Reply<OfferAnswer>> {
    return this.offers.create(productId, body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One offer', description: 'Also one that is not sold.', problems: unknown })
  @ApiOkResponse({ type: OfferAnswer, description: 'The offer' })
  get(@ProductId() productId: string, @OfferId() id: string): Promise<Reply<OfferAnswer>> {
    return this.offers.get(productId, id);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change an offer (JSON merge patch)',
    description: 'What is absent stays, null removes. Sold tickets keep what they cost.',
    problems: unknown,
  })
  @ApiOkResponse({ type: OfferAnswer, description: 'The offer as it is now' })
  change(
    @ProductId() productId: string,
    @OfferId() id: string,
    @Body() body: OfferChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<OfferAnswer>> {
    return this.offers.change(productId, id, body, conditions);
  }

  @Delete(':id')
  @Describe({
    summary: 'Delete an offer at which nothing was sold',
    description: 'A free booking keeps its last free offer.',
    problems: [...unknown, 'product.offer_sold', 'product.last_free_offer'],
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@ProductId() productId: string, @OfferId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.offers.remove(productId, id, conditions);
  }
}
