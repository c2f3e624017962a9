import { Inject, Injectable } from '@nestjs/common';
import { productProblem, ProductsService, type WholeProduct } from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { currentLanguage, languages, SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { toNewProduct, toProductChange, type NewProductBody, type ProductChangeBody } from './product-body.dto.js';
import { toSchemaOrgProduct, type ProductAnswer, type ProductList } from './product.dto.js';

/** Products of the current tenant as schema.org Product. */
@Injectable()
export class SemanticProductsService {
  constructor(
    private readonly products: ProductsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async list(): Promise<Reply<ProductList>> {
    const { products } = await this.products.list();
    return reply({ results: products.map((product) => this.shown(product)) });
  }

  async create(body: NewProductBody): Promise<Reply<ProductAnswer>> {
    const product = await this.products.create(toNewProduct(body));
    return this.answer(product, `/api/v2/products/${product.id}/`);
  }

  async get(id: string): Promise<Reply<ProductAnswer>> {
    return this.answer(await this.products.find(id));
  }

  async change(id: string, body: ProductChangeBody, conditions: Preconditions): Promise<Reply<ProductAnswer>> {
    const check = (current: WholeProduct): void => this.check(conditions, current);
    return this.answer(await this.products.update(id, toProductChange(body), check));
  }

  async remove(id: string, conditions: Preconditions): Promise<void> {
    const removed = await this.products.remove(id, (current) => this.check(conditions, current));
    if (!removed) throw productProblem('product.unknown');
  }

  /** Accepts the tag of any language, because a caller may read in one language and write in another. */
  private check(conditions: Preconditions, product: WholeProduct): void {
    conditions.check({ tags: languages.map((language) => entityTag(this.shown(product, language))) });
  }

  private shown(product: WholeProduct, language = currentLanguage()): ProductAnswer {
    return toSchemaOrgProduct(product, language, (path) => tenantUrl(this.settings, currentTenant(), path));
  }

  /** @throws Problem `product.unknown` when there is none */
  private answer(product: WholeProduct | undefined, location?: string): Reply<ProductAnswer> {
    if (!product) throw productProblem('product.unknown');
    return reply(this.shown(product), { location });
  }
}
