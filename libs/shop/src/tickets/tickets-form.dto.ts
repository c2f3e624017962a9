import { valuesOf } from '#page-kit';
import type { DraftLine } from '#selling';
import { RefusedBooking } from '#tickets';
import { isAmount } from '#catalogue';
import { currency, isUuid, type Language, moneyWords, type RefusedInput } from '#kernel';
import { RefusedAmount } from '#payments';
import { bookingWords, maximumWords, type EventPage, type TypedTickets } from '#pages';

/** Names of the fields of the form with the tickets. The fields of one price have the same position in each list. */
export const ticketFields = ['price', 'quantity', 'amount', 'option'] as const;

/** A form with the chosen tickets. */
export interface SentTickets {
  readonly typed: TypedTickets;
  readonly lines: readonly DraftLine[];
  readonly options: readonly string[];
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
}

/** Reads the form; missing fields are empty. Amounts have a point or a comma. */
export function readTickets(body: unknown, language: Language): SentTickets {
  const words = bookingWords[language];
  const [prices, quantities, amounts] = [valuesOf(body, 'price'), valuesOf(body, 'quantity'), valuesOf(body, 'amount')];
  const typed = { quantities: new Map<string, string>(), amounts: new Map<string, string>(), options: new Set(valuesOf(body, 'option')) };
  const faults = new Map<string, string>();
  const lines: DraftLine[] = [];
  for (const [index, text] of prices.entries()) {
    const priceId = text.toLowerCase();
    if (!isUuid(priceId) || typed.quantities.has(priceId)) continue;
    const quantity = (quantities[index] ?? '').trim().slice(0, 20);
    // One of the suggested amounts is chosen beside the field.
    const amount = ((amounts[index] ?? '').trim() || (valuesOf(body, `chosen-${priceId}`)[0] ?? '').trim()).slice(0, 20);
    typed.quantities.set(priceId, quantity);
    if (amount !== '') typed.amounts.set(priceId, amount);
    if (quantity !== '' && !/^\d{1,3}$/.test(quantity)) faults.set(`q-${priceId}`, words.chooseNumber);
    else if (Number(quantity) > 0) {
      if (amount !== '' && !isAmount(amount)) faults.set(`a-${priceId}`, words.writeAmount);
      lines.push({ priceId, quantity: Number(quantity), ...(amount !== '' && { amount }) });
    }
  }
  if (lines.length === 0 && faults.size === 0) faults.set('tickets', words.chooseNumber);
  const options = [...typed.options].filter((id) => isUuid(id));
  return { typed, lines, options, faults };
}

/** Maps a refusal to the fields of the form, and says what is still possible. */
export function ticketFaults(
  error: RefusedInput,
  lines: readonly DraftLine[],
  { prices }: Pick<EventPage, 'prices'>,
  language: Language,
): ReadonlyMap<string, string> {
  const words = bookingWords[language];
  if (error instanceof RefusedBooking && error.reason === 'sold_out') return soldOutFaults(error, lines, language);
  if (error instanceof RefusedBooking && error.reason === 'limit_per_user') {
    return new Map([['tickets', maximumWords(error, language, false)]]);
  }
  const faults = error.faults;
  return new Map(
    faults.map((fault) => {
      const { field, message } = fault;
      const [, index = '', member] = /^tickets\.(\d+)\.(\w+)$/.exec(field) ?? [];
      const priceId = lines[Number(index)]?.priceId;
      if (member === 'amount' && priceId !== undefined) {
        if (fault instanceof RefusedAmount) return [`a-${priceId}`, message];
        const least = prices.find(({ id, freeAmount }) => id === priceId && freeAmount)?.amount;
        return [`a-${priceId}`, least === undefined ? message : words.writeAtLeast(moneyWords(least, currency, language))];
      }
      if (member !== undefined && priceId !== undefined) return [`q-${priceId}`, message];
      return [field === 'options' ? 'options' : 'tickets', message];
    }),
  );
}

/**
 * At the prices of which too few are left, and above them when other dates have taken the places; otherwise, when the event's places do not
 * suffice for all of them together, above them.
 */
function soldOutFaults({ message, facts }: RefusedBooking, lines: readonly DraftLine[], language: Language): ReadonlyMap<string, string> {
  const words = bookingWords[language];
  const short = (facts.remaining ?? []).filter(({ priceId, remaining }) => {
    const wanted = lines.find((line) => line.priceId === priceId)?.quantity ?? 0;
    return remaining !== null && remaining < wanted;
  });
  if (short.length > 0)
    return new Map([
      ...(facts.isShared ? [['tickets', message] as const] : []),
      ...short.map(
        ({ priceId, remaining }) => [`q-${priceId}`, remaining === 0 ? words.noneLeft : words.onlyLeft(remaining ?? 0)] as const,
      ),
    ]);
  const most = Math.max(0, ...(facts.remaining ?? []).map(({ remaining }) => remaining ?? 0));
  return new Map([['tickets', most === 0 ? message : `${message} ${words.onlyLeft(most)}`]]);
}
