import { dayWords, localeOf, sumOf } from '#kernel';
import { currentGrant, currentPanelRequest, euros, recordHref, textOf, type FormField, type PanelRow, type RelatedItem } from '#panel-kit';
import { currentTenant } from '#tenancy';
import { reservationStates, type WholeOrder, type WholeOrdersService, type WholeReservation } from '#tickets';
import { formWords } from './reservations.words.js';
import { tones } from './reservation-tones.js';

type Part = WholeOrder['parts'][number];

/** The order of a reservation; undefined for people who see chosen events only, because others belong to it, too. */
export async function seenOrder(orders: WholeOrdersService, reservation: WholeReservation): Promise<WholeOrder | undefined> {
  return currentGrant().scope.kind === 'all' ? orders.of(reservation) : undefined;
}

/** A day of an event, as staff say it. */
function dayOf({ startsAt }: Part): string {
  return dayWords(startsAt, currentPanelRequest().language, currentTenant().timeZone);
}

/** The reservations that were bought with this one, and what all cost together. */
export function orderItems(id: string, order: WholeOrder | undefined): RelatedItem[] {
  if (!order) return [];
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const parts = order.parts.map((part) => ({
    title: part.id === id ? words.thisOne(part.event) : part.event,
    ...(part.id !== id && { href: recordHref('reservations', part.id) }),
    details: `${dayOf(part)} · ${euros(part.amount, language)}`,
    badge: { text: reservationStates[part.status][language], tone: tones[part.status] },
  }));
  return [...parts, { title: words.orderTotal, details: euros(order.total, language) }];
}

/** Whether a date is a part of a pass of which other dates are there, too. */
function isOfPass(id: string, { parts }: WholeOrder): boolean {
  return parts.some((part) => part.id === id && part.isPass) && parts.some((part) => part.id !== id && part.isPass);
}

const openParts = ({ parts }: WholeOrder): Part[] => parts.filter(({ isOpen }) => isOpen);

/** What is paid at the venue: a reservation alone, or its whole order. The dates of a pass are paid together. */
export function scopeOf(
  { id, amount }: WholeReservation,
  order: WholeOrder | undefined,
): { readonly amount: string; readonly lead?: string; readonly fields: FormField[] } {
  const open = order ? openParts(order) : [];
  if (!order || open.length < 2) return { amount, fields: [] };
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const [count, sum] = [open.length, euros(sumOf(open), language)];
  if (isOfPass(id, order)) return { amount: sumOf(open), lead: words.confirmPass(count, sum), fields: [] };
  const options = [
    { value: 'yes', label: words.wholeOrder(count, sum) },
    { value: 'no', label: words.onlyThis(euros(amount, language)) },
  ];
  return {
    amount: sumOf(open),
    lead: words.confirmOrder,
    fields: [{ name: 'whole', kind: 'choice', label: words.whole, value: 'yes', options, required: true }],
  };
}

/** @returns the order that the form of `scopeOf` confirms as a whole; undefined: the reservation alone */
export function wholeOrder(
  { id, cartId }: WholeReservation,
  order: WholeOrder | undefined,
  whole: PanelRow[string] | undefined,
): string | undefined {
  if (!order || cartId === null || openParts(order).length < 2) return undefined;
  return isOfPass(id, order) || textOf(whole) === 'yes' ? cartId : undefined;
}

/** What remains of an order when a reservation is cancelled: the other dates of a pass are independent of it. */
export function passFacts({ id }: WholeReservation, order: WholeOrder | undefined): string[] {
  const others = order?.parts.filter((part) => part.id !== id && part.status !== 'C') ?? [];
  if (!order || others.length === 0) return [];
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const list = (named: readonly string[]): string => new Intl.ListFormat(localeOf(language)).format(named);
  return [
    isOfPass(id, order)
      ? words.cancelOfPass(list(others.map(dayOf)))
      : words.cancelOfOrder(list(others.map((part) => `${part.event} (${dayOf(part)})`))),
  ];
}
