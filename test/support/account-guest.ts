import { EmailCorrectionsService, TicketOffersService } from '#holders';
import { MembershipsService } from '#memberships';
import { PricesService, ProductsService, QuestionsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { CustomersService } from '#transfers';
import type { AccountVisits } from './accounts.js';
import { book, newPrice } from './booking.js';
import { newEvent } from './builders.js';
import type { TestApp } from './test-app.js';
import { WaitingLists } from './waiting-list.js';
import { giveTicket } from './given-tickets.js';

const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);

/** A person with something of every kind. */
export interface AccountGuest {
  readonly email: string;
  readonly reservation: string;
  readonly membership: string;
  readonly gift: string;
  readonly events: readonly string[];
}

/** A person who has a booking with answers, a ticket from somebody else, a membership and an entry of a waiting list. */
export async function newGuest(test: TestApp, tenant: TenantIdentity, visits: AccountVisits, name: string): Promise<AccountGuest> {
  const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
  const email = `${name}@example.org`;
  const [event, other, full] = [
    await newEvent(test, tenant, { startsAt: days(3) }),
    await newEvent(test, tenant, { startsAt: days(4) }),
    await newEvent(test, tenant, { startsAt: days(5), capacity: 1 }),
  ];
  const priceId = await newPrice(test, tenant, event.id, { amount: '12.00' });
  const made = await inside(async () => {
    const [row] = await visits.sql<{ id: string }>('select product_id as id from price where id = $1', [priceId]);
    await test.app.get(QuestionsService).define(row!.id, [{ name: 'diet', label: 'Diet', kind: 'text' }]);
    const product = await test.app.get(ProductsService).create({ name: `Friends ${crypto.randomUUID()}`, category: 'A', published: true });
    const price = await test.app
      .get(PricesService)
      .create({ productId: product.id, name: 'Year', amount: '20.00', subscriptionType: 'Y', published: true });
    const wanted = { priceId: price.id, email, firstName: name, lastName: 'Tester', paymentMethod: 'cash' } as const;
    return test.app.get(MembershipsService).create(wanted);
  });
  const booked = await book(
    test,
    tenant,
    { id: event.id, priceId },
    {
      email: `old-${email}`,
      firstName: name,
      lastName: 'Tester',
      quantity: 2,
      paymentMethod: 'cash',
      confirmed: true,
      answersOptional: true,
      answers: new Map([['diet', `no nuts for ${name}`]]),
    },
  );
  await inside(() => test.app.get(EmailCorrectionsService).reservation(booked.id, email));
  const gift = await book(test, tenant, other, { confirmed: true });
  await inside(() => giveTicket(test.app, gift.tickets[0]!, { email, firstName: name, lastName: 'Tester' }));
  // A ticket that the person got and gave on.
  const [passed] = (await book(test, tenant, other, { confirmed: true })).tickets;
  const friend = { email: `friend-of-${gift.id}@example.org`, firstName: 'Friend', lastName: '' };
  await inside(() => giveTicket(test.app, passed!, { email, firstName: name, lastName: 'Tester' }));
  await inside(() => giveTicket(test.app, { ...passed!, codeVersion: 1, holderEmail: email }, friend));
  // A ticket that somebody offers to the person, who has not accepted it.
  const [waiting] = (await book(test, tenant, other, { confirmed: true })).tickets;
  const offer = { email, firstName: name, lastName: 'Tester', message: `Come with us, ${name}!` };
  await inside(() => test.app.get(TicketOffersService).offer(waiting!, offer));
  // A booking whose address was corrected to somebody else's.
  const moved = await book(test, tenant, other, { email, confirmed: true });
  await inside(() => test.app.get(EmailCorrectionsService).reservation(moved.id, `owner-of-${moved.id}@example.org`));
  await book(test, tenant, full, { confirmed: true });
  await new WaitingLists(test, tenant).wait(full, { email });
  return { email, reservation: booked.id, membership: made.id, gift: gift.id, events: [event.id, other.id] };
}

/** Makes a person the contact of a customer, with a mail about an order that is not the person's. @returns the id of the customer */
export async function newContact(
  test: TestApp,
  tenant: TenantIdentity,
  visits: AccountVisits,
  customer: { readonly name: string; readonly email: string },
): Promise<string> {
  const { id } = await test.inside(tenant, () => test.app.get(CustomersService).create(customer));
  const event = await newEvent(test, tenant);
  const sold = await book(test, tenant, event, { paymentMethod: 'cash', confirmed: true });
  await visits.sql(`update orders set customer_id = $1 where id = (select order_id from order_line where reservation_id = $2 limit 1)`, [
    id,
    sold.id,
  ]);
  await visits.sql(`insert into mail (kind, reservation_id, recipient) values ('on-account', $1, $2)`, [sold.id, customer.email]);
  return id;
}
