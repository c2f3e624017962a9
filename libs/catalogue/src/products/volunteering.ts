import { isKindSql } from '../catalogue-codes.js';

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
