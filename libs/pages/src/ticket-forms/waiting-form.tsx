import { mostPlaces } from '#waiting';
import { costsNothing, type Language } from '#kernel';
import { FaultSummary, InputField, PrivacyLink, SelectField } from '#page-kit';
import type { VNode } from 'preact';
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
  /** The code that applies on the page. */
  readonly code?: string | undefined;
  /** By the id of the field: `wait-price`, `wait-quantity`, `wait-email`. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
}

/** Prices whose waiting list can be joined. @param canPay whether buyers can pay on the public pages */
export function waitablePrices(prices: readonly PublicPrice[], canPay: boolean): PublicPrice[] {
  return prices.filter(
    ({ admits, soldOut, held, amount, freeAmount, pass }) =>
      pass === null && admits && soldOut && !held && (canPay || (costsNothing(amount) && !freeAmount)),
  );
}

interface WaitingListFormProps {
  readonly form: WaitingForm;
  /** The venue has a privacy notice. */
  readonly hasPrivacy: boolean;
  readonly language: Language;
}

/** The form: price, number of places, e-mail address. Works without scripts. */
export function WaitingListForm({ form, hasPrivacy, language }: WaitingListFormProps): VNode {
  const { action, prices, maxPerUser, typed, faults = new Map<string, string>() } = form;
  const words = waitingFormWords[language];
  const most = Math.max(...prices.map((one) => Math.min(mostPlaces, one.maxPerUser ?? mostPlaces, maxPerUser ?? mostPlaces)));
  return (
    <form class="booking" method="post" action={action} novalidate>
      <FaultSummary title={words.faults} faults={faults} />
      <p>{words.lead}</p>
      {form.code !== undefined && <input type="hidden" name="code" value={form.code} />}
      <PriceChoice form={form} language={language} />
      <InputField
        field={{ name: 'wait-quantity', label: words.quantity, hint: words.quantityHint, fault: faults.get('wait-quantity') }}
        attributes={{
          name: 'quantity',
          type: 'number',
          min: 1,
          max: most,
          step: 1,
          inputmode: 'numeric',
          autocomplete: 'off',
          value: typed?.quantity ?? '1',
        }}
      />
      <InputField
        field={{ name: 'wait-email', label: words.email, hint: words.emailHint, fault: faults.get('wait-email') }}
        attributes={{
          name: 'email',
          type: 'email',
          required: true,
          maxlength: 254,
          autocomplete: 'email',
          value: typed?.email ?? '',
        }}
      />
      {hasPrivacy && <PrivacyLink language={language} />}
      <p>
        <button class="button">{words.join}</button>
      </p>
    </form>
  );
}

/** The price to wait for; the only one is not asked for. */
function PriceChoice({ form: { prices, typed, faults }, language }: Omit<WaitingListFormProps, 'hasPrivacy'>): VNode {
  const [only, ...others] = prices;
  if (only && others.length === 0)
    return (
      <>
        <input type="hidden" name="price" value={only.id} />
        <p>
          <bdi>{labelOf(only)}</bdi>
        </p>
      </>
    );
  return (
    <SelectField
      field={{ name: 'wait-price', label: waitingFormWords[language].price, fault: faults?.get('wait-price') }}
      value={typed?.price ?? ''}
      choices={prices.map((price) => [price.id, labelOf(price)])}
      attributes={{ name: 'price' }}
    />
  );
}

function labelOf({ product, name }: PublicPrice): string {
  return product === name ? name : `${product} · ${name}`;
}
