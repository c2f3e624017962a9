import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { productProblem } from '#catalogue';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { productPointer } from '../shared/refusals.dto.js';
import { changedProductPointers, NewProductBody, ProductChangeBody, productPointers } from './product-body.dto.js';
import { ProductAnswer, ProductList } from './product.dto.js';
import { SemanticProductsService } from './semantic-products.service.js';

const unknown = ['product.unknown'];
const ProductId = (): ParameterDecorator => UuidParam('id', () => productProblem('product.unknown'));

/** Products of the caller's tenant as schema.org Product. */
@Controller('api/v2/products')
@ApiTags('Products')
@ApiParam({ name: 'id', description: 'UUID of the product.', type: String, example: '1f0c7f0a-6a51-4e0b-9a0a-0f9b8a7c6d5e' })
@Access('key', 'product')
@MapsRefusals(productPointer)
export class SemanticProductsController {
  constructor(private readonly products: SemanticProductsService) {}

  @Get()
  @WholeList({ pages: true })
  @Versioned({ list: true })
  @Describe({ summary: 'All products', description: 'The newest first, unpublished ones included.' })
  @ApiOkResponse({ type: ProductList, description: 'The products' })
  list(): Promise<Reply<ProductList>> {
    return this.products.list();
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(productPointers)
  @Describe({
    summary: 'A new product with its offers, sold for events',
    description: 'All of it or nothing. A free booking without a free offer gets one.',
    problems: ['product.exists'],
  })
  @ApiCreatedResponse({ type: ProductAnswer, description: 'Made' })
  create(@Body() body: NewProductBody): Promise<Reply<ProductAnswer>> {
    return this.products.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One product', description: 'With its offers and questions.', problems: unknown })
  @ApiOkResponse({ type: ProductAnswer, description: 'The product' })
  get(@ProductId() id: string): Promise<Reply<ProductAnswer>> {
    return this.products.get(id);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(changedProductPointers)
  @Describe({
    summary: 'Change a product (JSON merge patch)',
    description: 'What is absent stays, null removes. Offers have addresses of their own.',
    problems: [...unknown, 'product.exists'],
  })
  @ApiOkResponse({ type: ProductAnswer, description: 'The product as it is now' })
  change(@ProductId() id: string, @Body() body: ProductChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<ProductAnswer>> {
    return this.products.change(id, body, conditions);
  }

  @Delete(':id')
  @Describe({
    summary: 'Delete a product that nobody bought',
    description: 'Its offers are deleted with it.',
    problems: [...unknown, 'product.sold', 'product.required'],
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@ProductId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.products.remove(id, conditions);
  }
}
