import { page, type TwinRequest } from './twin-requests.js';

/** Reads or writes one row. @param sql names the schema as `{tenant}` */
type One = (sql: string) => Promise<Record<string, string>>;

/** A gift card that has paid at another venue, a campaign, and an order with a donation that has a tax receipt. */
export async function twinDonations(one: One): Promise<{ readonly campaign: string; readonly donation: string }> {
  const campaign = await one(`insert into {tenant}.campaign (title, published) values ('Twins', true) returning id`);
  await one(`with card as (insert into {tenant}.gift_card (code, amount, issued_at) values ('ACDEFGHJ', 20, now()) returning id)
    insert into {tenant}.gift_card_movement (gift_card_id, kind, amount, transfer_id, peer_id)
    select id, 'payment', 0, gen_random_uuid(), gen_random_uuid() from card returning id`);
  await one(`insert into {tenant}.customer (name, address) values ('Twins', '1 quai') returning id`);
  const line = 'id, order_id, position, kind, name, quantity, unit_amount, amount, vat_rate, vat_amount, effective_at';
  const donation = await one(`with placed as (
      insert into {tenant}.orders (id, state, channel, placed_at) values (gen_random_uuid(), 'placed', 'page', now()) returning id),
    line as (
      insert into {tenant}.order_line (${line})
      select gen_random_uuid(), id, 0, 'donation', 'Donation', 1, 5, 5, 0, 0, now() from placed returning id, order_id),
    receipt as (
      insert into {tenant}.tax_receipt (number, line_id, donor_name, donor_address, amount, paid_at, method, issuer)
      select 1, id, 'Ada Martin', '1 quai', 5, now(), 'online',
        '{"name": "Twins", "address": "1 quai", "object": "Twins", "articles": ["200"], "signer": ""}' from line)
    select order_id as id from line`);
  return { campaign: campaign['id'] as string, donation: donation['id'] as string };
}

/** The routes of donations and gift cards, which are lines of an order itself; as in `twinRows`. */
export const ownLineRows: Readonly<Record<string, readonly TwinRequest[]>> = {
  'DonationsController.form': [page('/donate')],
  'DonationsController.give': [{ method: 'post', path: '/donate', body: { donation: '5' } }],
  'DonationsController.campaign': [page('/donate/{campaign}')],
  'DonationsController.giveFor': [{ method: 'post', path: '/donate/{campaign}', body: { donation: '5' } }],
  'TaxReceiptsController.show': [page('/donate/{donationLink}/receipt')],
  'TaxReceiptsController.issue': [{ method: 'post', path: '/donate/{donationLink}/receipt', body: { name: 'Ada' } }],
  'TaxReceiptsController.file': [page('/donate/{donationLink}/receipt.pdf')],
  'DonationsController.show': [page('/donate/{donationLink}')],
  'GiftCardsController.form': [page('/gift-card')],
  'GiftCardsController.buy': [{ method: 'post', path: '/gift-card', body: { amount: '5', buyerEmail: 'a@example.org' } }],
  'GiftCardsController.balance': [page('/gift-card/balance')],
  'GiftCardsController.showBalance': [{ method: 'post', path: '/gift-card/balance', body: { giftCard: 'ACDEFGHJKMNPQRTU' } }],
  'GiftCardsController.show': [page('/gift-card/{giftCardLink}')],
  'GiftCardsController.pdf': [page('/gift-card/{giftCardLink}/gift-card.pdf')],
  'EnteredGiftCardsController.ofOrder': [{ method: 'post', path: '/order/{orderLink}/gift-card', body: { giftCard: '' } }],
  'EnteredGiftCardsController.ofCart': [{ method: 'post', path: '/cart/{cartLink}/gift-card', body: { giftCard: '' } }],
};
