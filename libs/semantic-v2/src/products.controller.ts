import { Body, Controller, Get, Inject, Param, Post, Req, Res, type PipeTransform } from '@nestjs/common';
import { productProblem, Products, type WholeProduct } from '#catalogue';
import {
  currentLanguage,
  Describe,
  preferred,
  SETTINGS,
  showListValidators,
  showValidators,
  type Settings,
} from '#kernel';
import { Access, currentTenant, tenantUrl } from '#tenancy';
import { isUUID } from 'class-validator';
import type { Request, Response } from 'express';
import { NewProductBody, questionPointersOf, toNewProduct, toRelatedEvents } from './product-body.dto.js';
import { toSchemaOrgProduct } from './product.dto.js';
import { productsApi } from './products.api.js';
import { pointersById } from './references.dto.js';
import { inWords } from './refusals.dto.js';

/** What cannot be an id is answered like an unknown one. */
class ProductId implements PipeTransform<string> {
  transform(id: string): string {
    if (!isUUID(id)) throw productProblem('product.unknown');
    return id.toLowerCase();
  }
}

/** Products of the caller's tenant as schema.org Product. */
@Controller('api/v2/products')
@Access('key', 'product')
export class SemanticProductsController {
  constructor(
    private readonly products: Products,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Describe(productsApi.list)
  async list(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { products } = await this.products.list();
    const answer = { results: products.map((product) => this.shown(product)) };
    showListValidators(response, answer);
    return answer;
  }

  @Post()
  @Describe(productsApi.create)
  async create(
    @Body() body: NewProductBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.products.create(toNewProduct(body));
    const product = await inWords(work, { ...pointersById(toRelatedEvents(body)), ...questionPointersOf(body) });
    response.location(`/api/v2/products/${product.id}/`);
    return preferred(request, response, this.answer(product, response));
  }

  @Get(':id')
  @Describe(productsApi.get)
  async get(@Param('id', ProductId) id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    const product = await this.products.find(id);
    if (!product) throw productProblem('product.unknown');
    return this.answer(product, response);
  }

  private shown(product: WholeProduct): object {
    return toSchemaOrgProduct(product, currentLanguage(), (path) => tenantUrl(this.settings, currentTenant(), path));
  }

  private answer(product: WholeProduct, response: Response): object {
    const answer = this.shown(product);
    showValidators(response, answer);
    return answer;
  }
}
