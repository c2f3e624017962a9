/** Reads or writes one row. @param sql names the schema as `{tenant}` */
type One = (sql: string) => Promise<Record<string, string>>;

/** A campaign, and an order with a donation that has a tax receipt. */
export async function twinDonations(one: One): Promise<{ readonly campaign: string; readonly donation: string }> {
  const campaign = await one(`insert into {tenant}.campaign (title, published) values ('Twins', true) returning id`);
  const line = 'id, order_id, position, kind, name, quantity, unit_amount, amount, vat_rate, vat_amount, effective_at';
  const donation = await one(`with placed as (
      insert into {tenant}.orders (id, state, channel, placed_at) values (gen_random_uuid(), 'placed', 'page', now()) returning id),
    line as (
      insert into {tenant}.order_line (${line})
      select gen_random_uuid(), id, 0, 'donation', 'Donation', 1, 5, 5, 0, 0, now() from placed returning id, order_id),
    receipt as (
      insert into {tenant}.tax_receipt (line_id, donor_name, donor_address, amount, paid_at, method, issuer)
      select id, 'Ada Martin', '1 quai', 5, now(), 'online',
        '{"name": "Twins", "address": "1 quai", "object": "Twins", "articles": ["200"], "signer": ""}' from line)
    select order_id as id from line`);
  return { campaign: campaign['id'] as string, donation: donation['id'] as string };
}
