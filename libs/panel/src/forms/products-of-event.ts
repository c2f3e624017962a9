import { productCategories } from '#catalogue';
import type { TenantDb } from '#tenancy';
import { currentPanelRequest, type FormField } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

interface SoldProduct {
  readonly id: string;
  readonly name: string;
  readonly category: keyof typeof productCategories;
  readonly sold: boolean;
  readonly published: boolean;
}

/** Products that can be sold for an event. Memberships are only included when already linked, because they are sold on their own. */
export function productsFor(db: TenantDb, eventId: string): Promise<SoldProduct[]> {
  return db.transaction((tx) =>
    tx.query<SoldProduct[]>(
      `select product.id, product.name, product.category, product.published, event_product.event_id is not null as sold
       from product left join event_product on event_product.product_id = product.id and event_product.event_id = $1
       where product.built_in is null and (product.category <> 'A' or event_product.event_id is not null)
       order by product.name, product.id limit 500`,
      [eventId],
    ),
  );
}

/** The field that chooses the products of an event. */
export function productsField(products: readonly SoldProduct[]): FormField {
  const { language } = currentPanelRequest();
  const words = fieldWords[language];
  const labelOf = ({ name, category, published }: SoldProduct): string =>
    [name, productCategories[category][language], !published && words.notPublished].filter(Boolean).join(' · ');
  return {
    name: 'productIds',
    kind: 'checks',
    label: words.products,
    value: products.filter(({ sold }) => sold).map(({ id }) => id),
    options: products.map((product) => ({ value: product.id, label: labelOf(product) })),
  };
}

const fieldWords = texts.perLanguage('events.form', ({ words }) => words);
