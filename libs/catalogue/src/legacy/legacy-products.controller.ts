import { Body, Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { Describe, FormFiles, PageQuery, showPages, DeprecatedBy, TakesForm, toPage, WholeList } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, NeedsModule, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';
import { imagePath } from '../images/image-addresses.js';
import type { PreparedImage } from '../images/image-encoding.js';
import { ImageFetcher } from '../images/image-fetcher.js';
import { Images } from '../images/images.service.js';
import { Products } from '../products.service.js';
import type { WholeProduct } from '../products/whole-product.js';
import { LegacyProductBody, legacyProductsApi, toLegacyProduct, toNewProduct } from './legacy-products.dto.js';
import { inLegacyWords } from './legacy-refusals.dto.js';

const successor = '/api/v2/products/';

/** Products in the spelling of the first API. */
@Controller('api/products')
export class LegacyProductsController {
  constructor(
    private readonly products: Products,
    private readonly images: Images,
    private readonly fetcher: ImageFetcher,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @WholeList()
  @Access('guest', 'product')
  @DeprecatedBy(successor)
  @Describe(legacyProductsApi.list)
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const page = toPage(query);
    const { products, total } = await this.products.list({ publishedOnly: !request.principal, page });
    showPages(request, response, page, total);
    response.set('Cache-Control', 'private, no-cache').vary('Authorization');
    return products.map((product) => this.shown(product));
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Access('key', 'product')
  @DeprecatedBy(successor)
  @TakesForm({ files: ['img'], required: ['name', 'categorie_article'] })
  @Describe(legacyProductsApi.create)
  async create(@Body() body: LegacyProductBody, @FormFiles() files: { img?: Buffer }): Promise<object> {
    const image = await this.pictureOf(files.img, body.img_url);
    return this.shown(await inLegacyWords(this.products.create({ ...toNewProduct(body), ...image })));
  }

  private async pictureOf(
    file: Buffer | undefined,
    url: string | null | undefined,
  ): Promise<{ image?: PreparedImage }> {
    if (file) return { image: await this.images.prepare(file, 'img') };
    return url ? { image: await this.fetcher.fetch(url, 'img_url') } : {};
  }

  private shown(product: WholeProduct): object {
    const { image } = product;
    const path = image && imagePath(image.id, 'fhd', image.kind);
    return toLegacyProduct(product, path && tenantUrl(this.settings, currentTenant(), path));
  }
}
