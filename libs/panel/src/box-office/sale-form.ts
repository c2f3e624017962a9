import { RefusedSalePart, type CounterSale, type NewReservation } from '#selling';
import { isEmail, isLanguage, isUuid, type Language } from '#kernel';
import { type VenueMethod, venueMethods } from '#payments';
import type { PanelRow, PanelValue } from '#panel-kit';
import { codeKey } from '#tickets';
import { currentPanelRequest, PanelFieldError, textOf } from '#panel-kit';
import { answersIn, refusableAnswers } from '../questions/answers.action.js';
import type { BoxOfficeServices } from './box-office.services.js';
import { boxOfficeRefusals } from './box-office.words.js';

export const venueMethodOf = (value: PanelValue | undefined): VenueMethod | undefined => venueMethods.find((method) => method === value);

/** The chosen language of mails to the holder, if any. */
export function holderLanguage({ language }: PanelRow): { language?: Language } {
  return isLanguage(language) ? { language } : {};
}

/** What of one person is in one sale at most. */
const most = { events: 20, memberships: 5 };

/** Fields of the buyer: the form has them once for all parts. */
const sharedFields = new Set(['email', 'firstName', 'lastName', 'paymentMethod', 'giftCard', 'customerId']);

/** Converts the form to the service's input and reports all errors at once. @throws PanelFieldError */
export async function saleOf(
  { orders }: Pick<BoxOfficeServices, 'orders'>,
  values: PanelRow,
): Promise<CounterSale & { paymentMethod: VenueMethod; readerId: string | undefined }> {
  const { language } = currentPanelRequest();
  const email = textOf(values['email']).trim();
  const parts = rowsIn(values['parts'], most.events);
  const chosen = rowsIn(values['memberships'], most.memberships).filter(({ priceId }) => isUuid(priceId));
  const customerId = textOf(values['customerId']) || undefined;
  const isAtReader = values['paymentMethod'] === 'reader' && customerId === undefined;
  const readerId = isAtReader && isUuid(values['readerId']) ? values['readerId'] : undefined;
  const giftCard = textOf(values['giftCard']).slice(0, 100);
  // What a customer has on account is not paid now. A reader decides like a payment by card; its provider records it.
  const paymentMethod = customerId !== undefined ? 'cash' : readerId === undefined ? venueMethodOf(values['paymentMethod']) : 'card';
  const missing = [
    parts.some(({ eventId }) => !isUuid(eventId)) && (['eventId', boxOfficeRefusals.event] as const),
    parts.length === 0 && chosen.length === 0 && (['tickets', boxOfficeRefusals.tickets] as const),
    ...parts.map(({ tickets }, index) => linesOf(tickets).length === 0 && ([`parts.${index}.tickets`, boxOfficeRefusals.tickets] as const)),
    email !== '' && !isEmail(email) && (['email', boxOfficeRefusals.email] as const),
    !paymentMethod && (['paymentMethod', boxOfficeRefusals.payment] as const),
    readerId !== undefined && giftCard.trim() !== '' && (['giftCard', boxOfficeRefusals.readerGiftCard] as const),
  ].filter((fault) => fault !== false);
  if (missing.length > 0 || !paymentMethod)
    throw new PanelFieldError(Object.fromEntries(missing.map(([field, text]) => [field, { message: text[language] }])));
  const buyer = {
    email,
    firstName: textOf(values['firstName']),
    lastName: textOf(values['lastName']),
    ...holderLanguage(values),
    paymentMethod,
    ...(giftCard.trim() !== '' && { giftCard }),
    answersOptional: true,
  };
  const reservations = parts.map(({ eventId, tickets, optionIds, passesList, code, ...more }) => ({
    ...buyer,
    eventId: textOf(eventId),
    ...typedCode(code),
    tickets: linesOf(tickets),
    confirmed: true,
    origin: 'panel' as const,
    options: [optionIds ?? []].flat().filter(isUuid),
    answers: answersIn(more),
    passesList: passesList === true,
  }));
  const offers = chosen.length === 0 ? [] : await orders.askedOffers();
  const memberships = chosen.map(({ priceId, quantity: _quantity, amount, code, ...more }) => {
    const asked = new Set(offers.find((offer) => offer.priceId === priceId)?.questions.map(({ id }) => id));
    const answers = new Map([...answersIn(more)].filter(([id]) => asked.has(id)));
    return { ...buyer, priceId: textOf(priceId), ...typedCode(code), ...amountIn(amount), answers };
  });
  return { reservations, memberships, paymentMethod, customerId, readerId };
}

/** What of a typed sale decides about its discounts. @param json of the page */
export function askedQuote(json: string) {
  let typed: unknown;
  try {
    typed = JSON.parse(json);
  } catch {
    typed = {};
  }
  const values = Object(typed) as PanelRow;
  const email = textOf(values['email']).trim();
  const parts = rowsIn(values['parts'], most.events).filter(({ eventId }) => isUuid(eventId));
  return {
    reservations: parts
      .map(({ eventId, tickets, code }) => ({ eventId: textOf(eventId), email, ...typedCode(code), tickets: linesOf(tickets) }))
      .filter(({ tickets }) => tickets.length > 0),
    memberships: rowsIn(values['memberships'], most.memberships)
      .filter(({ priceId }) => isUuid(priceId))
      .map(({ priceId }) => ({ priceId: textOf(priceId) })),
  };
}

/** Runs the sale; errors of a part stand at its fields, below `parts.<i>` or `memberships.<i>`. @throws PanelFieldError */
export async function refusableSale<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await refusableAnswers(work);
  } catch (error) {
    if (!(error instanceof RefusedSalePart)) throw error;
    const at = `${error.part === 'reservations' ? 'parts' : error.part}.${error.index}.`;
    const refused = (): Promise<never> => Promise.reject(error.cause);
    throw await refusableAnswers(refused).catch((fault: unknown) => (fault instanceof PanelFieldError ? below(at, fault) : fault));
  }
}

function below(at: string, { fields, summary }: PanelFieldError): PanelFieldError {
  const named = Object.entries(fields).map(([field, fault]) => [sharedFields.has(field) ? field : `${at}${field}`, fault]);
  return new PanelFieldError(Object.fromEntries(named) as PanelFieldError['fields'], summary);
}

function rowsIn(value: PanelValue | undefined, count: number): PanelRow[] {
  return (Array.isArray(value) ? value.slice(0, count) : []).map((row) => Object(row) as PanelRow);
}

function linesOf(value: PanelValue | undefined): NewReservation['tickets'] {
  return rowsIn(value, 100).flatMap(({ priceId, quantity, amount, ...more }) =>
    isUuid(priceId) && Number.isInteger(Number(quantity)) && Number(quantity) > 0
      ? [{ priceId, quantity: Number(quantity), ...amountIn(amount), answers: answersIn(more) }]
      : [],
  );
}

/** A code as it is stored. What can be none is refused like one that does not exist. */
function typedCode(code: PanelValue | undefined): Pick<NewReservation, 'code'> {
  const typed = textOf(code).slice(0, 100).trim();
  return typed === '' ? {} : { code: codeKey(typed) ?? typed };
}

const amountIn = (amount: PanelValue | undefined) => (typeof amount === 'string' && amount.trim() ? { amount: amount.trim() } : {});
