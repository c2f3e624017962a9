import type { WholeMembership } from '#memberships';
import { referenceOf } from '#notices';
import type { CounterSold } from '#selling';
import type { ShownReservation } from '#tickets';
import type { PostalAddress } from '#catalogue';
import { fromCents, sumOf, toCents } from '#kernel';
import { giftCard, Payment } from '#payments';
import type { VenueMethod } from '#payments';
import type { ViewOf } from '#panel-kit';
import { currentPanelRequest, euros, fileHref, recordHref, shownCode } from '#panel-kit';
import { In } from 'typeorm';
import type { BoxOfficeServices } from './box-office.services.js';

/** The result of a sale: the amount to collect, unless a customer has it on account, codes for the screen, and texts for printing. */
export async function soldView(services: BoxOfficeServices, sold: CounterSold, method: VenueMethod | 'account' | 'reader') {
  const { reservations, memberships } = sold;
  const [first] = [...reservations, ...memberships];
  const payments = await paymentsOf(services, sold);
  const withCards = sumOf(payments.filter(({ provider, status }) => provider === giftCard && status === 'paid'));
  const whole = sumOf([...reservations.flatMap(({ tickets }) => tickets), ...memberships]);
  return {
    sold: {
      email: first?.email || null,
      mailed: services.mails.deliver,
      total: fromCents(toCents(whole) - toCents(withCards)),
      method,
      payments: payments.filter(({ provider, status }) => provider === 'venue' && status === 'paid').map(({ id }) => id),
      parts: await Promise.all(reservations.map((reservation) => partOf(services, reservation))),
      memberships: await Promise.all(memberships.map((membership) => membershipOf(services, membership))),
    },
  };
}

/** What was sold. */
export type SoldView = ViewOf<typeof soldView>['sold'];

/** The payments of a sale. The method of those without a gift card can be corrected. */
function paymentsOf({ db }: BoxOfficeServices, { reservations, memberships }: CounterSold): Promise<Payment[]> {
  const ids = [...reservations, ...memberships].map(({ id }) => id);
  const where = [{ reservationId: In(ids) }, { membershipId: In(ids) }];
  return db.transaction((tx) => tx.find(Payment, { where, order: { id: 'ASC' } }));
}

async function partOf({ reservations, events }: BoxOfficeServices, reservation: ShownReservation) {
  const { language } = currentPanelRequest();
  const codes = await reservations.codesOf(reservation);
  const event = await events.find(reservation.eventId);
  const reference = referenceOf(reservation.id);
  const buyer = nameOf(reservation) || reservation.email || reference;
  const tickets = [];
  for (const ticket of reservation.tickets) {
    const { id, price, amount, admission } = ticket;
    tickets.push({
      id,
      admits: admission,
      name: nameOf(ticket) || buyer,
      price: price.product.name === price.name ? price.name : `${price.product.name} · ${price.name}`,
      amount: euros(amount, language),
      href: recordHref('tickets', id),
      picture: (await shownCode(codes.get(id) ?? ''))?.picture ?? null,
    });
  }
  return {
    id: reservation.id,
    reference,
    event: reservation.event.name,
    startsAt: reservation.event.startsAt.toISOString(),
    place: placeOf(event?.postalAddress ?? null),
    href: recordHref('reservations', reservation.id),
    printHref: fileHref('reservations', reservation.id, 'print'),
    tickets,
  };
}

async function membershipOf({ memberships }: BoxOfficeServices, membership: WholeMembership) {
  const { id, product, price, amount, validUntil, email } = membership;
  return {
    id,
    name: nameOf(membership) || email,
    what: `${product.name} · ${price.name}`,
    amount: euros(amount, currentPanelRequest().language),
    validUntil: validUntil?.toISOString() ?? null,
    href: recordHref('memberships', id),
    printHref: fileHref('memberships', id, 'pdf'),
    picture: (await shownCode(await memberships.codeOf(membership)))?.picture ?? null,
  };
}

const nameOf = ({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }): string =>
  [firstName, lastName].filter(Boolean).join(' ');

function placeOf(address: PostalAddress | null): string {
  if (!address) return '';
  const { name, streetAddress, postalCode, addressLocality } = address;
  return [name, streetAddress, [postalCode, addressLocality].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
