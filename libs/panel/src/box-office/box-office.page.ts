import { paymentMethods } from '#payments';
import { referenceOf, BookingsService, MailsService, OnSaleService, ReservationsService } from '#booking';
import { EventsService } from '#catalogue';
import type { PostalAddress } from '#catalogue';
import type { VenueMethod } from '#payments';
import type { NewReservation, ShownReservation } from '#booking';
import { databaseNow, isEmail, isLanguage, isUuid, venueDayOf, type Language, sumOf, toCents } from '#kernel';
import { currentTenant } from '#tenancy';
import type { PanelOutcome, PanelPage, PanelRow, PanelValue } from '#panel-kit';
import { currentPanelRequest, PanelFieldError, qrPicture, textOf, euros, fileHref, recordHref } from '#panel-kit';
import { boxOfficeRefusals } from './box-office.words.js';
import { answersIn, questionField, refusableAnswers } from '../questions/answers.action.js';
import { Injectable } from '@nestjs/common';

@Injectable()
export class BoxOfficeServices {
  constructor(
    readonly onSale: OnSaleService,
    readonly bookings: BookingsService,
    readonly reservations: ReservationsService,
    readonly mails: MailsService,
    readonly events: EventsService,
  ) {}
}

/** Maximum number of events to choose from. For a later event, the box office is opened from the event's page. */
const mostEvents = 100;

/** Payment methods at the venue. */
export const venueMethods = ['cash', 'card', 'offered'] as const satisfies readonly VenueMethod[];

export const venueMethodOf = (value: PanelValue | undefined): VenueMethod | undefined => venueMethods.find((method) => method === value);

/** The venue's day that a moment belongs to; a day ends at 04:00. */
const dayOf = (moment: Date): string => venueDayOf(moment, currentPanelRequest().timeZone);

/** The data of the page: the events, and the prices of the chosen event, or of today's only event. */
async function saleView({ onSale, mails }: BoxOfficeServices, wanted: unknown): Promise<PanelValue> {
  const today = dayOf(databaseNow());
  const events = (await onSale.events(mostEvents)).map(({ startsAt, endsAt, ...event }) => ({
    ...event,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    isToday: dayOf(startsAt) <= today,
  }));
  const todays = events.filter(({ isToday }) => isToday);
  const only = events.length === 1 ? events[0] : todays.length === 1 ? todays[0] : undefined;
  const chosen = isUuid(wanted) ? wanted : only?.id;
  const sale = chosen === undefined ? undefined : await onSale.sale(chosen);
  return {
    events,
    eventId: sale?.event.id ?? null,
    language: currentTenant().language,
    mailed: mails.deliver,
    notOnSale: isUuid(wanted) && !sale,
    sale: sale
      ? {
          event: { ...sale.event, startsAt: sale.event.startsAt.toISOString(), endsAt: null },
          prices: sale.prices.map(({ salesFrom, salesUntil, ...price }) => ({
            ...price,
            salesFrom: salesFrom?.toISOString() ?? null,
            salesUntil: salesUntil?.toISOString() ?? null,
          })),
          options: sale.options.map((option) => ({ ...option })),
          questions: sale.questions.map(({ id, productId, scope, ...question }) => ({
            productId,
            scope,
            field: questionField({ id, productId, scope, ...question }, id),
          })),
        }
      : null,
  };
}

/** Converts the form to the service's input and reports all errors at once. @throws PanelFieldError */
function toReservation(values: PanelRow): NewReservation & { readonly eventId: string } {
  const { language } = currentPanelRequest();
  const [eventId, email] = [textOf(values['eventId']), textOf(values['email']).trim()];
  const tickets = linesOf(values['tickets']);
  const paymentMethod = venueMethodOf(values['paymentMethod']);
  const missing = [
    !isUuid(eventId) && (['eventId', boxOfficeRefusals.event] as const),
    tickets.length === 0 && (['tickets', boxOfficeRefusals.tickets] as const),
    email !== '' && !isEmail(email) && (['email', boxOfficeRefusals.email] as const),
    !paymentMethod && (['paymentMethod', boxOfficeRefusals.payment] as const),
  ].filter((fault) => fault !== false);
  if (missing.length > 0 || !paymentMethod) {
    throw new PanelFieldError(Object.fromEntries(missing.map(([field, text]) => [field, { message: text[language] }])));
  }
  return {
    eventId,
    email,
    tickets,
    paymentMethod,
    firstName: textOf(values['firstName']),
    lastName: textOf(values['lastName']),
    ...holderLanguage(values),
    options: [values['optionIds'] ?? []].flat().filter(isUuid),
    confirmed: true,
    answers: answersIn(values),
    answersOptional: true,
    passesList: values['passesList'] === true,
    origin: 'panel',
  };
}

/** The chosen language of mails to the holder, if any. */
export function holderLanguage({ language }: PanelRow): { language?: Language } {
  return isLanguage(language) ? { language } : {};
}

function linesOf(value: PanelValue | undefined): NewReservation['tickets'] {
  return (Array.isArray(value) ? value.slice(0, 100) : []).flatMap((line) => {
    const { priceId, quantity, amount, ...more } = Object(line) as PanelRow;
    const chosen = typeof amount === 'string' && amount.trim() ? { amount: amount.trim() } : {};
    return isUuid(priceId) && Number.isInteger(Number(quantity)) && Number(quantity) > 0
      ? [{ priceId, quantity: Number(quantity), ...chosen, answers: answersIn(more) }]
      : [];
  });
}

/** The result of a sale: the tickets' codes for the screen, and their texts for printing. */
async function soldView(
  { reservations, mails, events }: BoxOfficeServices,
  reservation: ShownReservation,
  method: VenueMethod,
): Promise<PanelValue> {
  const { language } = currentPanelRequest();
  const codes = await reservations.codesOf(reservation);
  const event = await events.find(reservation.eventId);
  const reference = referenceOf(reservation.id);
  const buyer = [reservation.firstName, reservation.lastName].filter(Boolean).join(' ') || reservation.email || reference;
  const tickets: PanelValue[] = [];
  for (const { id, firstName, lastName, price, amount, admission } of reservation.tickets) {
    tickets.push({
      id,
      admits: admission,
      name: [firstName, lastName].filter(Boolean).join(' ') || buyer,
      price: price.product.name === price.name ? price.name : `${price.product.name} · ${price.name}`,
      amount: euros(amount, language),
      href: recordHref('tickets', id),
      picture: await qrPicture(codes.get(id) ?? ''),
    });
  }
  const total = sumOf(reservation.tickets);
  const isDue = method !== 'offered' && toCents(total) > 0;
  return {
    sold: {
      id: reservation.id,
      reference,
      event: reservation.event.name,
      startsAt: reservation.event.startsAt.toISOString(),
      place: placeOf(event?.postalAddress ?? null),
      email: reservation.email || null,
      mailed: mails.deliver,
      href: recordHref('reservations', reservation.id),
      printHref: fileHref('reservations', reservation.id, 'print'),
      tickets,
      total: isDue ? total : null,
      method: isDue || method === 'offered' ? paymentMethods[method][language] : null,
    },
  };
}

function placeOf(address: PostalAddress | null): string {
  if (!address) return '';
  const { name, streetAddress, postalCode, addressLocality } = address;
  return [name, streetAddress, [postalCode, addressLocality].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

/** The page that sells tickets at the venue, with the same service as the API. */
export function boxOffice(services: BoxOfficeServices): PanelPage {
  const sell = async (values: PanelRow): Promise<PanelOutcome> => {
    const wanted = toReservation(values);
    const reservation = await refusableAnswers(() => services.bookings.book(wanted));
    return { view: await soldView(services, reservation, wanted.paymentMethod ?? 'cash') };
  };
  return {
    icon: 'ShoppingCart',
    component: 'BoxOffice',
    variant: 'primary',
    side: true,
    view: ({ event }) => saleView(services, event),
    act: sell,
  };
}
