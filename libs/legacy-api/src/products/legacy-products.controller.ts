import { imagePath, type PreparedImage, ImageFetcher, ImagesService, ProductsService, type WholeProduct } from '#catalogue';
import { Body, Controller, Get, Inject, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DeprecatedBy, Describe, FormFiles, MapsRefusals, PageQuery, reply, TakesForm, toPage, WholeList, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Access, Caller, currentTenant, NeedsModule, tenantUrl, type Principal } from '#tenancy';
import { LegacyProduct, LegacyProductBody, toLegacyProduct, toNewProduct } from './legacy-products.dto.js';
import { legacyPointers } from './legacy-refusals.dto.js';

const successor = '/api/v2/products/';

/** Products in the format of the first API. */
@Controller('api/products')
@ApiTags('First API')
@MapsRefusals(legacyPointers)
export class LegacyProductsController {
  constructor(
    private readonly products: ProductsService,
    private readonly images: ImagesService,
    private readonly fetcher: ImageFetcher,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @WholeList()
  @Access('guest', 'product')
  @DeprecatedBy(successor)
  @Describe({
    summary: 'Products with their prices, the newest first',
    description: 'Everybody sees what is published; a key with `product:read` sees all.',
  })
  @ApiOkResponse({ type: [LegacyProduct], description: 'The products' })
  async list(@Query() query: PageQuery, @Caller() caller: Principal | undefined): Promise<Reply<LegacyProduct[]>> {
    const page = toPage(query);
    const { products, total } = await this.products.list({ publishedOnly: !caller, page });
    return reply(
      products.map((product) => this.shown(product)),
      { headers: { 'Cache-Control': 'private, no-cache' }, vary: 'Authorization', page: { page, total } },
    );
  }

  @NeedsModule('membership', 'ticketing')
  @Post()
  @Access('key', 'product')
  @DeprecatedBy(successor)
  @TakesForm({ files: ['img'], required: ['name', 'categorie_article'] })
  @Describe({
    summary: 'A new product, maybe with a picture',
    description: 'The picture comes as a file of a form, or is fetched.',
    problems: ['product.exists', 'product.cashless_taken', 'image.busy'],
  })
  @ApiCreatedResponse({ type: LegacyProduct, description: 'Made' })
  async create(@Body() body: LegacyProductBody, @FormFiles() files: { img?: Buffer }): Promise<LegacyProduct> {
    const image = await this.pictureOf(files.img, body.img_url);
    return this.shown(await this.products.create({ ...toNewProduct(body), ...image }));
  }

  private async pictureOf(file: Buffer | undefined, url: string | null | undefined): Promise<{ image?: PreparedImage }> {
    if (file) return { image: await this.images.prepare(file, 'img') };
    return url ? { image: await this.fetcher.fetch(url, 'img_url') } : {};
  }

  private shown(product: WholeProduct): LegacyProduct {
    const { image } = product;
    const path = image && imagePath(image.id, 'fhd', image.kind);
    return toLegacyProduct(product, path && tenantUrl(this.settings, currentTenant(), path));
  }
}
