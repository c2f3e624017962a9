import { GiftCardLinks } from '#gift-cards';
import { bankRecords } from './bank-files.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { AccountLinks, AccountSessionsService, TicketOffersService } from '#holders';
import { CartsService, DraftsService } from '#selling';
import { HolderLinks, ReservationsService, TicketsService } from '#tickets';
import { FollowerLinks } from '#notices';
import { WaitingLinks } from '#waiting';
import { CardsService } from '#cards';
import { EventPreviewLinks } from '#catalogue';
import { DemoService } from '#demo';
import { clientNetworks } from '#kernel';
import { GatesService, ScanningDevicesService, TeamCodesService } from '#scan';
import { CartLinks, OrderLinks } from '#page-kit';
import { allScopes, runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import { WalletAccountsService } from '#wallet';
import sharp from 'sharp';
import { newDevice } from './builders.js';
import { makeDiscounts, unknownDiscounts, type TwinDiscounts } from './twin-codes.js';
import type { TestApp } from './test-app.js';
import { newApple, newGoogle } from './wallet-keys.js';
import { newKey } from './webhooks.js';
import { giveTicket, pendingOfferOf } from './given-tickets.js';
import { twinDonations } from './twin-donations.js';
import { visit } from './twin-visit.js';

/** All ids of one tenant that requests can contain. */
export interface TwinIds extends TwinDiscounts {
  readonly event: string;
  readonly slug: string;
  readonly option: string;
  readonly product: string;
  readonly offer: string;
  readonly plan: string;
  readonly membershipOffer: string;
  readonly reservation: string;
  readonly ticket: string;
  readonly membership: string;
  /** A number. */
  readonly address: string;
  readonly image: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly feedEvent: string;
  readonly place: string;
  /** Path of a holder's page after its kind: `<id>/<mark>`. */
  readonly reservationLink: string;
  /** Of a ticket that was given to somebody else. */
  readonly ticketLink: string;
  readonly giftLink: string;
  readonly membershipLink: string;
  /** The same for the order of a draft, an entry of a waiting list, a follower, a cart, and a donation alone. */
  readonly orderLink: string;
  readonly waitingLink: string;
  readonly followerLink: string;
  readonly cartLink: string;
  readonly donationLink: string;
  readonly giftCardLink: string;
  /** The same for a link to an account. */
  readonly accountLink: string;
  /** Last segment of the path of the event's preview. */
  readonly previewKey: string;
  readonly pairingToken: string;
  readonly teamCode: string;
  readonly quarantineToken: string;
  readonly code: string;
  readonly campaign: string;
  /** Tag of an NFC card of a member. */
  readonly card: string;
  readonly gate: string;
}

export type TwinKeys = Readonly<Record<'integration' | 'device', string>>;

/** The demo venue with at least one object of each kind that requests can name. */
export async function fullTenant(test: TestApp): Promise<{ tenant: TenantIdentity; ids: TwinIds; keys: TwinKeys }> {
  await test.app.get(DemoService).ensure();
  const tenant = (await test.app.get(TenantsService).bySlug('demo'))!;
  const keys = {
    integration: await newKey(test, tenant, ...allScopes),
    device: (await newDevice(test, tenant, 'Door 1', 'search')).authorization,
  };
  const make = async (path: string, body: object, member = 'identifier'): Promise<string> => {
    const answer = await test.on(tenant).post(path).set('Authorization', keys.integration).send(body).expect(201);
    return String((answer.body as Record<string, unknown>)[member]);
  };
  const one = async (sql: string): Promise<Record<string, string>> => {
    const [row] = await test.database.query<Record<string, string>>(sql.replaceAll('{tenant}', `"${tenant.schemaName}"`));
    if (!row) throw new Error(`the demo has none: ${sql}`);
    return row;
  };
  // With a receipt.
  const paidTickets = `{tenant}.ticket t join {tenant}.reservation r on r.id = t.reservation_id and r.status in ('P', 'V')
    where t.status = 'K'
      and exists (select 1 from {tenant}.payment y where y.reservation_id = r.id and y.status = 'paid' and y.method <> 'offered')`;
  // Several tickets, which have a file of passes.
  const reservations = `select t.reservation_id, min(t.id::text) as ticket, t.event_id from ${paidTickets}
    group by t.reservation_id, t.event_id having count(*) between 2 and 10`;
  const event = await one(`select e.id, e.slug, p.id as offer, p.product_id as product from {tenant}.event e
    join {tenant}.event_product l on l.event_id = e.id join {tenant}.price p on p.product_id = l.product_id
    where e.published and not e.is_private and e.booked < e.capacity and p.required_membership_id is null and p.stock is null
      and exists (select 1 from (${reservations}) s where s.event_id = e.id)
    order by e.starts_at desc, p.id limit 1`);
  const sold = await one(`select s.ticket, s.reservation_id as reservation from (${reservations}) s
    where s.event_id = '${event['id']}' order by s.ticket limit 1`);
  const member = await one(`select m.id, m.email, m.price_id as offer, p.product_id as plan from {tenant}.membership m
    join {tenant}.price p on p.id = m.price_id where m.status = 'active' and coalesce(m.valid_until, 'infinity') > now() order by m.id
    limit 1`);
  const option = await make(`/api/v2/events/${event['id']}/options/`, { kind: 'radio', name: 'With a seat' });
  const discounts = await makeDiscounts(make);
  const { campaign, donation } = await twinDonations(one);
  const endpoint = await make('/api/v2/webhook-endpoints/', { url: 'https://nobody.invalid/', types: ['*'] });
  await test.on(tenant).post(`/api/v2/webhook-endpoints/${endpoint}/ping/`).set('Authorization', keys.integration);
  const delivery = await one('select id from {tenant}.webhook_delivery order by created_at limit 1');
  await bankRecords(one);
  await one(`insert into {tenant}.event_series (name, slug) values ('Twins', 'twins-0a1b2c3d')
    on conflict (slug) do update set name = 'Twins' returning id`);
  const picture = await sharp({ create: { width: 32, height: 32, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await test
    .on(tenant)
    .call('patch', `/api/v2/events/${event['id']}/`)
    .set('Authorization', keys.integration)
    .attach('img', picture, 'a.png')
    .expect(200);
  const booking = {
    reservationFor: event['id'],
    underName: { email: 'ada@example.org' },
    paymentMethod: 'cash',
    confirmed: true,
  };
  const given = await make('/api/v2/reservations/', { ...booking, reservedTicket: [{ identifier: event['offer'] }] });
  const feed = await test.on(tenant).get('/api/v2/webhook-events/').set('Authorization', keys.integration).expect(200);
  const [feedEvent] = (feed.body as { results: Record<string, string>[] }).results;
  const image = await one(`select image_id as id from {tenant}.event where id = '${event['id']}'`);
  // A distinctive number that the other tenant's sequence does not reach.
  await one(`select setval(pg_get_serial_sequence('{tenant}.postal_address', 'id'), 43210)`);
  const address = await make('/api/v2/postal-addresses/', {
    streetAddress: '1 quai',
    addressLocality: 'Lyon',
    postalCode: '69001',
    addressCountry: 'FR',
  });
  const inside = <Result>(work: () => Promise<Result>): Promise<Result> => runInTenant(tenant, work);
  const codes = await inside(() => test.app.get(TicketsService).list());
  const links = test.app.get(HolderLinks);
  const linkOf = (path: string): string => path.split('/').slice(2).join('/');
  const reservationLink = await inside(async () => linkOf(links.pathTo({ reservationId: sold['reservation'] as string })));
  const ticketLink = await inside(async () => {
    const ticket = (await test.app.get(ReservationsService).find(given))?.tickets[0];
    if (!ticket) throw new Error('the reservation has no ticket');
    await giveTicket(test.app, ticket, { email: 'bob@example.org', firstName: 'Bob', lastName: '' });
    return linkOf(links.pathTo({ ticketId: ticket.id }, 1));
  });
  const giftLink = await inside(async () => {
    const ticket = (await test.app.get(ReservationsService).find(given))?.tickets[0];
    if (!ticket) throw new Error('the reservation has no ticket');
    await test.app.get(TicketOffersService).offer(ticket, { email: 'cleo@example.org', firstName: 'Cleo', lastName: '' });
    return linkOf(links.pathTo({ giftId: (await pendingOfferOf(test.app, ticket.id)) ?? '' }));
  });
  const membershipLink = await inside(async () => linkOf(links.pathTo({ membershipId: member['id'] as string })));
  const orderLink = await inside(async () => {
    const lines = [{ priceId: event['offer'] as string, quantity: 1 }];
    const draft = await test.app
      .get(DraftsService)
      .hold({ eventId: event['id'] as string, lines, options: [] }, clientNetworks('192.0.2.1'));
    return linkOf(test.app.get(OrderLinks).pathTo(draft));
  });
  const entry = await one(`insert into {tenant}.waiting_entry (event_id, price_id, email, email_key, quantity)
    values ('${event['id']}', '${event['offer']}', 'wait@example.org', 'wait@example.org', 1) returning id`);
  const waitingLink = await inside(async () => linkOf(test.app.get(WaitingLinks).pathTo(entry['id'] as string)));
  const follower = await one(`insert into {tenant}.follower (email, email_key, confirmed_at)
    values ('follow@example.org', 'follow@example.org', now()) returning id`);
  const followerLink = await inside(async () => linkOf(test.app.get(FollowerLinks).pathTo(follower['id'] as string)));
  const accountLink = await inside(async () => {
    await test.app.get(AccountSessionsService).request('ada@example.org', '192.0.2.1', 'en');
    const asked = await one('select id from {tenant}.account_session limit 1');
    const path = test.app.get(AccountLinks).pathTo(asked['id'] as string);
    return path.split('/').slice(3).join('/');
  });
  const carts = await inside(async () => {
    const lines = [{ priceId: event['offer'] as string, quantity: 1 }];
    const cart = randomUUID();
    await test.app.get(CartsService).add(cart, { eventId: event['id'] as string, lines, options: [] }, clientNetworks('192.0.2.1'));
    const links = test.app.get(CartLinks);
    await one(`insert into {tenant}.gift_card (order_id, code, amount, issued_at) values ('${cart}', 'ACDEF', 20, now()) returning id`);
    const giftCardLink = linkOf(test.app.get(GiftCardLinks).pathTo(cart));
    return { cartLink: linkOf(links.pathTo(cart)), donationLink: linkOf(links.donationPathTo(donation)), giftCardLink };
  });
  const shown = { id: event['id'] as string, slug: event['slug'] as string };
  const previewKey = await inside(async () => test.app.get(EventPreviewLinks).pathTo(shown).split('/').at(-1) as string);
  const { token } = await inside(() => test.app.get(ScanningDevicesService).create('Not paired yet'));
  const gate = await inside(async () => {
    const gates = test.app.get(GatesService);
    const { id } = await gates.create({ name: 'Balcony' });
    await gates.allow({ gateId: id, productId: event['product'] });
    return id;
  });
  await one(`insert into {tenant}.scan_conflict (ticket_id, event_id, line_device_id, line_scan_id, first_at, first_error_ms, later_at,
      later_error_ms)
    values ('${sold['ticket']}', '${event['id']}', gen_random_uuid(), gen_random_uuid(), now(), 0, now(), 500) returning id`);
  const { code: teamCode } = await inside(() =>
    test.app.get(TeamCodesService).create({ name: 'Door team', eventId: event['id'] ?? null, gateId: gate }),
  );
  const installation = randomBytes(32).toString('base64url');
  const paired = await test.on(tenant).post('/scan/pair/').send({ code: teamCode, installation }).expect(200);
  const { quarantine_token: quarantineToken } = paired.body as { quarantine_token: string };
  await inside(() => test.app.get(WalletAccountsService).saveApple(newApple()));
  await inside(() => test.app.get(WalletAccountsService).saveGoogle(newGoogle()));
  await visit(test, tenant);
  const card = await test.app
    .get(CardsService)
    .create({ tag: randomBytes(7).toString('hex'), ownerEmail: member['email'] ?? null, originTenantId: tenant.id });
  return {
    tenant,
    keys,
    ids: {
      event: event['id'] as string,
      slug: event['slug'] as string,
      option,
      product: event['product'] as string,
      offer: event['offer'] as string,
      plan: member['plan'] as string,
      ...discounts,
      campaign,
      membershipOffer: member['offer'] as string,
      reservation: sold['reservation'] as string,
      ticket: sold['ticket'] as string,
      membership: member['id'] as string,
      address,
      image: image['id'] as string,
      endpoint,
      delivery: delivery['id'] as string,
      feedEvent: feedEvent?.['identifier'] as string,
      place: tenant.id,
      reservationLink,
      ticketLink,
      giftLink,
      membershipLink,
      orderLink,
      waitingLink,
      followerLink,
      ...carts,
      accountLink,
      previewKey,
      pairingToken: token,
      teamCode,
      quarantineToken,
      code: codes.find(({ uuid }) => uuid === sold['ticket'])?.qrcode_data as string,
      card: card.tag,
      gate,
    },
  };
}

/** Ids of the same formats that no tenant has. */
export function unknownIds(): TwinIds {
  const id = randomUUID;
  const text = (bytes: number): string => randomBytes(bytes).toString('base64url');
  return {
    event: id(),
    slug: `a-concert-20270101-2000-${randomBytes(4).toString('hex')}`,
    option: id(),
    product: id(),
    offer: id(),
    plan: id(),
    ...unknownDiscounts(id),
    campaign: id(),
    membershipOffer: id(),
    reservation: id(),
    ticket: id(),
    membership: id(),
    address: '987654',
    image: id(),
    endpoint: id(),
    delivery: id(),
    feedEvent: id(),
    place: id(),
    reservationLink: `${id()}/${text(20)}`,
    ticketLink: `${id()}/${text(20)}`,
    giftLink: `${id()}/${text(20)}`,
    membershipLink: `${id()}/${text(20)}`,
    orderLink: `${id()}/${text(20)}`,
    waitingLink: `${id()}/${text(20)}`,
    followerLink: `${id()}/${text(20)}`,
    cartLink: `${id()}/${text(20)}`,
    donationLink: `${id()}/${text(20)}`,
    giftCardLink: `${id()}/${text(20)}`,
    accountLink: `${id()}/${text(20)}`,
    previewKey: `30000.${text(20)}`,
    pairingToken: text(32),
    teamCode: 'ZZZZZ-ZZZZZ',
    quarantineToken: `gqtn_${'Z'.repeat(12)}_${text(32)}`,
    code: `${Buffer.concat([Buffer.from([1, 1]), randomBytes(16)]).toString('base64url')}:${text(64)}`,
    card: randomBytes(7).toString('hex').toUpperCase(),
    gate: id(),
  };
}
