import type { Language } from '#kernel';
import type { Tx } from '#tenancy';
import { isKindSql } from '../catalogue-codes.js';

/** The names of the built-in product and of its price; the migration that makes them writes the same. */
const names: Readonly<Record<Language, { readonly product: string; readonly price: string }>> = {
  en: { product: 'Volunteering', price: 'Volunteer' },
  fr: { product: 'Bénévolat', price: 'Bénévole' },
};

/** Names the built-in product in the language that the tenant gets; tickets that were booked show the new name, too. */
export async function nameVolunteering(tx: Tx, language: Language): Promise<void> {
  const { product, price } = names[language];
  await tx.query(`update product set name = $1 where built_in = 'volunteering' and name <> $1`, [product]);
  await tx.query(
    `update price set name = $1 where name <> $1 and product_id = (select id from product where built_in = 'volunteering')`,
    [price],
  );
}

/**
 * SQL: whether people sign up for an event without a product: it is a volunteering slot (category ACT), and staff sell no admission for it.
 * A ticket or free booking that staff link to a slot takes the place of the built-in product, even while it is not published: nobody gets
 * around its price, its stock or the membership that it requires. Goods, such as a T-shirt for volunteers, are sold beside it.
 * @param event the alias of the table `event`
 * @param prefix stands before the names of tables, in statements for the door `{tenant}.`
 */
export function takesVolunteersSql(event: string, prefix = ''): string {
  return `(${event}.category = 'ACT' and not exists (
    select 1 from ${prefix}event_product linked join ${prefix}product other on other.id = linked.product_id
    where linked.event_id = ${event}.id and ${isKindSql('other.category', 'admission')}))`;
}

/**
 * SQL of a table with the columns event_id and product_id: what is sold for each event, whether staff linked it or it is built in.
 * @param prefix as for `takesVolunteersSql`
 */
export function soldForEventsSql(prefix = ''): string {
  return `(select event_id, product_id from ${prefix}event_product
    union all select slot.id, built.id from ${prefix}event slot join ${prefix}product built on built.built_in = 'volunteering'
    where ${takesVolunteersSql('slot', prefix)})`;
}
