import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { productProblem, Products, type WholeProduct } from '#catalogue';
import {
  checkPreconditions,
  Describe,
  entityTag,
  applyPrefer,
  showListValidators,
  showValidators,
  uuidParam,
  WholeList,
} from '#http';
import { currentLanguage, languages, SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, NeedsModule, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';
import {
  NewProductBody,
  ProductChangeBody,
  questionPointersOf,
  toNewProduct,
  toProductChange,
  toRelatedEvents,
} from './product-body.dto.js';
import { toSchemaOrgProduct } from './product.dto.js';
import { productsApi } from './products.api.js';
import { pointersById } from '../shared/references.dto.js';
import { mapRefusals } from '../shared/refusals.dto.js';

export const productId = uuidParam(() => productProblem('product.unknown'));

/** Products of the caller's tenant as schema.org Product. */
@Controller('api/v2/products')
@Access('key', 'product')
export class SemanticProductsController {
  constructor(
    private readonly products: Products,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @WholeList()
  @Describe(productsApi.list)
  async list(@Res({ passthrough: true }) response: Response): Promise<object> {
    const { products } = await this.products.list();
    const answer = { results: products.map((product) => this.shown(product)) };
    showListValidators(response, answer);
    return answer;
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Describe(productsApi.create)
  async create(
    @Body() body: NewProductBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.products.create(toNewProduct(body));
    const product = await mapRefusals(work, { ...pointersById(toRelatedEvents(body)), ...questionPointersOf(body) });
    response.location(`/api/v2/products/${product.id}/`);
    return applyPrefer(request, response, this.answer(product, response));
  }

  @Get(':id')
  @Describe(productsApi.get)
  async get(@Param('id', productId) id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    const product = await this.products.find(id);
    if (!product) throw productProblem('product.unknown');
    return this.answer(product, response);
  }

  @NeedsModule('membership', 'ticketing')
  @Patch(':id')
  @Describe(productsApi.change)
  async change(
    @Param('id', productId) id: string,
    @Body() body: ProductChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.products.update(id, toProductChange(body), (current) => this.check(request, current));
    // A membership is refused under its own id: it is sold for no event.
    const product = await mapRefusals(work, {
      ...pointersById(toRelatedEvents(body)),
      ...questionPointersOf(body),
      [id]: '/isRelatedTo',
    });
    if (!product) throw productProblem('product.unknown');
    return applyPrefer(request, response, this.answer(product, response));
  }

  @Delete(':id')
  @Describe(productsApi.remove)
  @HttpCode(204)
  async remove(@Param('id', productId) id: string, @Req() request: Request): Promise<void> {
    const removed = await mapRefusals(this.products.remove(id, (current) => this.check(request, current)));
    if (!removed) throw productProblem('product.unknown');
  }

  /** Who read the product in one language may change it in another. */
  private check(request: Request, product: WholeProduct): void {
    checkPreconditions(request, { tags: languages.map((language) => entityTag(this.shown(product, language))) });
  }

  private shown(product: WholeProduct, language = currentLanguage()): object {
    return toSchemaOrgProduct(product, language, (path) => tenantUrl(this.settings, currentTenant(), path));
  }

  private answer(product: WholeProduct, response: Response): object {
    const answer = this.shown(product);
    showValidators(response, answer);
    return answer;
  }
}
