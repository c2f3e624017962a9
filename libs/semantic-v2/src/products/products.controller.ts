import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
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
import { productsApi } from './products.api.js';
import { SemanticProductsService } from './semantic-products.service.js';

const ProductId = (): ParameterDecorator => UuidParam('id', () => productProblem('product.unknown'));

/** Products of the caller's tenant as schema.org Product. */
@Controller('api/v2/products')
@Access('key', 'product')
@MapsRefusals(productPointer)
export class SemanticProductsController {
  constructor(private readonly products: SemanticProductsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe(productsApi.list)
  list(): Promise<Reply<object>> {
    return this.products.list();
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(productPointers)
  @Describe(productsApi.create)
  create(@Body() body: NewProductBody): Promise<Reply<object>> {
    return this.products.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe(productsApi.get)
  get(@ProductId() id: string): Promise<Reply<object>> {
    return this.products.get(id);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @BodyPointers(changedProductPointers)
  @Describe(productsApi.change)
  change(@ProductId() id: string, @Body() body: ProductChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<object>> {
    return this.products.change(id, body, conditions);
  }

  @Delete(':id')
  @Describe(productsApi.remove)
  @HttpCode(204)
  remove(@ProductId() id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.products.remove(id, conditions);
  }
}
