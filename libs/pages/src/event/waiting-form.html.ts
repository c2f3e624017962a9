import { mostPlaces } from '#waiting';
import { costsNothing, escapeHtml, type Language } from '#kernel';
import { inputHtml, selectHtml, summaryHtml } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { waitingFormWords } from './waiting-form.words.js';

/** The form with which visitors join the waiting list of an event. */
export interface WaitingForm {
  /** Path that the form is sent to. */
  readonly action: string;
  /** Prices that are sold, not only held, and could be booked otherwise; at least one. */
  readonly prices: readonly PublicPrice[];
  /** Maximum number of tickets of one person for the event. */
  readonly maxPerUser: number | null;
  /** Texts as they were sent. */
  readonly typed?: { readonly price: string; readonly quantity: string; readonly email: string } | undefined;
  /** By the id of the field: `wait-price`, `wait-quantity`, `wait-email`. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
}

/** Prices whose waiting list can be joined. @param canPay whether buyers can pay on the public pages */
export function waitablePrices(prices: readonly PublicPrice[], canPay: boolean): PublicPrice[] {
  return prices.filter(
    ({ admits, soldOut, held, amount, freeAmount }) => admits && soldOut && !held && (canPay || (costsNothing(amount) && !freeAmount)),
  );
}

/** The form: price, number of places, e-mail address. Works without scripts. */
export function waitingFormHtml({ action, prices, maxPerUser, typed, faults = new Map() }: WaitingForm, language: Language): string {
  const words = waitingFormWords[language];
  const [only, ...others] = prices;
  const labelOf = ({ product, name }: PublicPrice): string => (product === name ? name : `${product} · ${name}`);
  const price =
    only && others.length === 0
      ? `<input type="hidden" name="price" value="${only.id}">\n<p><bdi>${escapeHtml(labelOf(only))}</bdi></p>`
      : selectHtml(
          { name: 'wait-price', label: words.price, fault: faults.get('wait-price') },
          typed?.price ?? '',
          prices.map((one) => [one.id, labelOf(one)] as const),
          { name: 'price' },
        );
  const most = Math.max(...prices.map((one) => Math.min(mostPlaces, one.maxPerUser ?? mostPlaces, maxPerUser ?? mostPlaces)));
  const quantity = inputHtml(
    { name: 'wait-quantity', label: words.quantity, hint: words.quantityHint, fault: faults.get('wait-quantity') },
    {
      name: 'quantity',
      type: 'number',
      min: 1,
      max: most,
      step: 1,
      inputmode: 'numeric',
      autocomplete: 'off',
      value: typed?.quantity ?? '1',
    },
  );
  const email = inputHtml(
    { name: 'wait-email', label: words.email, hint: words.emailHint, fault: faults.get('wait-email') },
    { name: 'email', type: 'email', required: true, maxlength: 254, autocomplete: 'email', value: typed?.email ?? '' },
  );
  return `<form class="booking" method="post" action="${escapeHtml(action)}" novalidate>
${summaryHtml(words.faults, faults)}<p>${escapeHtml(words.lead)}</p>
${price}
${quantity}
${email}
<p><button class="button">${escapeHtml(words.join)}</button></p>
</form>`;
}
