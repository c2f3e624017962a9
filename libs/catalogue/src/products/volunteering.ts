import type { Language } from '#kernel';
import type { Tx } from '#tenancy';
import { isKindSql } from '../values/catalogue-codes.js';
import { texts } from '../locales/catalogue.texts.js';

/** The names of the built-in product and of its price; the migration that creates them uses the same names. */
const names: Readonly<Record<Language, { readonly product: string; readonly price: string }>> = texts.perLanguage(
  'volunteering',
  ({ words }) => words,
);

/** Names the built-in product in the tenant's language; existing tickets show the new name, too. */
export async function nameVolunteering(tx: Tx, language: Language): Promise<void> {
  const { product, price } = names[language];
  await tx.query(`update product set name = $1 where built_in = 'volunteering' and name <> $1`, [product]);
  await tx.query(`update price set name = $1 where name <> $1 and product_id = (select id from product where built_in = 'volunteering')`, [
    price,
  ]);
}

/**
 * SQL: whether an event is a volunteering slot (category ACT) without a product: people sign up for it, and staff sell no admission for
 * it. An admission product that staff link to a slot replaces the built-in product, even while it is unpublished, so that its price, its
 * stock and its required membership cannot be bypassed. Goods, such as a T-shirt for volunteers, are sold in addition.
 * @param event the alias of the table `event`
 * @param prefix prefix of table names, `{tenant}.` in scan statements
 */
export function takesVolunteersSql(event: string, prefix = ''): string {
  return `(${event}.category = 'ACT' and not exists (
    select 1 from ${prefix}event_product linked join ${prefix}product other on other.id = linked.product_id
    where linked.event_id = ${event}.id and ${isKindSql('other.category', 'admission')}))`;
}

/**
 * SQL of a table with the columns event_id and product_id: the products sold for each event, linked by staff or built in.
 * @param prefix as for `takesVolunteersSql`
 */
export function soldForEventsSql(prefix = ''): string {
  return `(select event_id, product_id from ${prefix}event_product
    union all select slot.id, built.id from ${prefix}event slot join ${prefix}product built on built.built_in = 'volunteering'
    where ${takesVolunteersSql('slot', prefix)})`;
}
