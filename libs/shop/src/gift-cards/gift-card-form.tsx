import { cardTexts, venueDay } from '#gift-cards';
import { currentLanguage, giftCardAmounts } from '#kernel';
import {
  amountWords,
  CheckboxField,
  type Field,
  FaultSummary,
  InputField,
  PrivacyLink,
  reader,
  TextareaField,
  type Venue,
} from '#page-kit';
import { hasWithdrawal } from '#tickets';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { orderWords } from '../frame/order.words.js';
import { giftCardWords } from './gift-card.words.js';

/** Names of the fields. */
export const giftCardFields = ['amount', 'message', 'recipientName', 'recipientEmail', 'sendOn', 'buyerName', 'buyerEmail'] as const;
type FieldName = (typeof giftCardFields)[number];

interface GiftCardFormProps {
  readonly venue: Venue;
  /** Decimal texts, separated by spaces. */
  readonly suggested: string;
  readonly body: unknown;
  /** By the name of the field. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The form that buys a gift card. */
export function GiftCardForm({ venue, suggested, body, faults }: GiftCardFormProps): VNode {
  const language = currentLanguage();
  const words = giftCardWords[language];
  const read = reader(body);
  const field = (name: FieldName, more: Partial<Field> = {}): Field => ({ name, label: words[name], fault: faults.get(name), ...more });
  const input = (name: FieldName, attributes: Readonly<Record<string, string | number>>, more: Partial<Field> = {}): VNode => (
    <InputField field={field(name, more)} attributes={{ value: read(name), ...attributes }} />
  );
  const money = (amount: string): string => amountWords(amount as `${number}`, language);
  const limits = words.limits(money(giftCardAmounts.least), money(giftCardAmounts.most));
  return (
    <>
      <FaultSummary title={orderWords[language].faults} faults={faults} />
      <p class="hint">{words.lead(currentTenant().name)}</p>
      <form class="order sheet" method="post" action="/gift-card" target="_top" novalidate>
        <fieldset class="ways">
          <legend>{words.amount}</legend>
          {suggested.split(' ').map((amount) => (
            <label class="tick">
              <input type="radio" name="suggested" value={amount} checked={read('suggested') === amount} /> <span>{money(amount)}</span>
            </label>
          ))}
        </fieldset>
        {input(
          'amount',
          { inputmode: 'decimal', autocomplete: 'off', maxlength: 12 },
          { label: words.other, hint: limits, optional: true },
        )}
        {input('recipientName', { autocomplete: 'off', maxlength: cardTexts.name }, { optional: true })}
        <TextareaField
          field={field('message', { optional: true })}
          attributes={{ rows: 3, maxlength: cardTexts.message }}
          value={read('message')}
        />
        {input(
          'recipientEmail',
          { type: 'email', autocomplete: 'off', maxlength: 254 },
          { hint: words.recipientEmailHint, optional: true },
        )}
        {input('sendOn', { type: 'date', min: venueDay() }, { hint: words.sendOnHint, optional: true })}
        {input('buyerName', { autocomplete: 'name', maxlength: cardTexts.name }, { hint: words.buyerNameHint, optional: true })}
        {input('buyerEmail', { type: 'email', autocomplete: 'email', maxlength: 254 }, { hint: words.buyerEmailHint })}
        {hasWithdrawal(venue.country) && <p class="small quiet">{words.withdrawal}</p>}
        <div class="closing">
          {venue.hasTerms && (
            <>
              <CheckboxField
                field={{ name: 'terms', label: orderWords[language].terms, fault: faults.get('terms') }}
                checked={read('terms') !== ''}
                attributes={{ required: true }}
              />
              <p>
                <a href="/terms" target="_blank" rel="noopener">
                  {orderWords[language].readTerms}
                </a>
              </p>
            </>
          )}
          {venue.hasPrivacy && <PrivacyLink language={language} />}
          <p>
            <button class="button">{words.buy}</button>
          </p>
          <p>
            <a href="/gift-card/balance">{words.balanceTitle}</a>
          </p>
        </div>
      </form>
    </>
  );
}
