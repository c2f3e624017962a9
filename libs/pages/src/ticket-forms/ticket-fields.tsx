import { amountOf, isAmount } from '#catalogue';
import { costsNothing, writtenAmount, type Language } from '#kernel';
import { amountWords, Fault, faulty, fieldClass } from '#page-kit';
import type { VNode } from 'preact';
import type { PublicPrice } from '../public-events/public-events.service.js';
import type { BookingForm } from './booking-offer.js';
import { bookingWords, type BookingWords } from './booking.words.js';

/** Maximum number of tickets of one order. */
const mostTickets = 100;

type Numbered = Pick<PublicPrice, 'id' | 'left' | 'maxPerUser' | 'amount' | 'freeAmount' | 'suggested' | 'usual'>;

/** Names of the number field and its buttons. */
type NumberWords = Pick<BookingWords, 'number' | 'fewer' | 'more'>;

/** What a buyer sent before. */
type Sent = Pick<BookingForm, 'typed' | 'faults'>;

interface GoodsFieldsProps {
  readonly price: Numbered;
  /** Nothing else is in the form. */
  readonly isOnly: boolean;
  readonly words: NumberWords;
  readonly language: Language;
}

/** The fields of goods outside of the page of an event. */
export function GoodsFields({ price, isOnly, words, language }: GoodsFieldsProps): VNode {
  return <PriceFields price={price} maxPerUser={null} sent={{}} isOnly={isOnly} isGoods words={words} language={language} />;
}

interface GoodsNumberProps {
  readonly productId: string;
  /** Of which one is chosen beside the number. */
  readonly prices: readonly Numbered[];
  readonly words: NumberWords;
}

/** How many of the chosen price of a product, which has a fixed amount. */
export function GoodsNumber({ productId, prices, words }: GoodsNumberProps): VNode {
  const most = Math.max(...prices.map(({ left, maxPerUser }) => Math.min(mostTickets, left ?? mostTickets, maxPerUser ?? mostTickets)));
  return (
    <div class="field quantity">
      <Stepper id={productId} words={words} fault={undefined} attributes={{ min: 1, max: most, value: '1' }} />
      <input type="hidden" name="amount" value="" />
    </div>
  );
}

interface StepperProps {
  /** Of what is chosen; its name has the id `n-<id>`. */
  readonly id: string;
  readonly words: NumberWords;
  readonly fault: string | undefined;
  /** Of the field. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

/** A number with buttons for one fewer and one more, which the script adds. */
function Stepper({ id, words, fault, attributes }: StepperProps): VNode {
  const name = `q-${id}`;
  return (
    <>
      <label class="unseen" for={name} id={`l-${id}`}>
        {words.number}
      </label>{' '}
      <Fault name={name} fault={fault} />
      <span class="stepper number" data-fewer={words.fewer} data-more={words.more}>
        <input
          type="number"
          id={name}
          name="quantity"
          {...attributes}
          step={1}
          inputmode="numeric"
          aria-labelledby={`l-${id} n-${id}`}
          {...faulty(name, fault)}
        />
      </span>
    </>
  );
}

interface PriceFieldsProps extends GoodsFieldsProps {
  /** Maximum number of tickets of one person for the event. */
  readonly maxPerUser: number | null;
  readonly sent: Sent;
  readonly isGoods: boolean;
}

/** The fields of one price: how many, and the amount of a free one. */
export function PriceFields({ price, maxPerUser, sent, isOnly, isGoods, words, language }: PriceFieldsProps): VNode {
  return (
    <>
      <NumberField price={price} maxPerUser={maxPerUser} sent={sent} isOnly={isOnly} isGoods={isGoods} words={words} />
      <AmountField price={price} sent={sent} isGoods={isGoods} language={language} />
    </>
  );
}

function NumberField({ price, maxPerUser, sent, isOnly, isGoods, words }: Omit<PriceFieldsProps, 'language'>): VNode {
  const { id, left } = price;
  const fault = sent.faults?.get(`q-${id}`);
  // Empty in place of zero, so that the style knows what is chosen without a script. The browser keeps it when the buyer comes back.
  const typed = sent.typed?.quantities.get(id) ?? '';
  const isFirst = sent.typed === undefined;
  const most = Math.min(mostTickets, left ?? mostTickets, price.maxPerUser ?? mostTickets, maxPerUser ?? mostTickets);
  const attributes = {
    min: 0,
    max: most,
    placeholder: '0',
    value: isFirst && isOnly ? '1' : typed === '0' ? '' : typed,
    'data-cents': Math.round(Number(price.amount) * 100),
    'data-admits': isGoods ? undefined : '',
  };
  return (
    <div class={fieldClass('field quantity', fault)}>
      <input type="hidden" name="price" value={id} /> <Stepper id={id} words={words} fault={fault} attributes={attributes} />
    </div>
  );
}

/** The field of a free price. Fixed prices send an empty amount, so that the fields of a line keep their positions. */
function AmountField({ price, sent, isGoods, language }: Pick<PriceFieldsProps, 'price' | 'sent' | 'isGoods' | 'language'>): VNode {
  const { id, amount, freeAmount } = price;
  if (price.suggested) return <SuggestedAmounts price={price} suggested={price.suggested.split(' ')} sent={sent} language={language} />;
  if (!freeAmount) return <input type="hidden" name="amount" value="" />;
  const words = bookingWords[language];
  const fault = sent.faults?.get(`a-${id}`);
  const [free, from] = isGoods ? [words.itemAmount, words.itemAmountFrom] : [words.amount, words.amountFrom];
  return (
    <div class={fieldClass('field own-amount', fault)}>
      <AmountInput
        id={id}
        label={costsNothing(amount) ? free : from(amountWords(amount, language))}
        value={sent.typed?.amounts.get(id) ?? (costsNothing(amount) ? '' : writtenAmount(amount, language))}
        fault={fault}
      />
    </div>
  );
}

interface SuggestedAmountsProps extends Pick<PriceFieldsProps, 'price' | 'sent' | 'language'> {
  /** Decimal texts. */
  readonly suggested: readonly string[];
}

/** What buyers of a free price choose from; what they type instead counts more. The usual amount is chosen before. */
function SuggestedAmounts({ price: { id, amount, usual }, suggested, sent, language }: SuggestedAmountsProps): VNode {
  const words = bookingWords[language];
  const fault = sent.faults?.get(`a-${id}`);
  const typed = sent.typed?.amounts.get(id);
  const written = typed !== undefined && isAmount(typed) ? amountOf(typed) : typed;
  const isTyped = written !== undefined && !suggested.includes(written);
  const chosen = written === undefined ? (usual ?? suggested[0]) : written;
  const other = costsNothing(amount) ? words.otherAmount : words.otherAmountFrom(amountWords(amount, language));
  return (
    <fieldset class={fieldClass('field own-amount', fault)}>
      <legend class="small">{words.payWhatYouCan}</legend>
      {suggested.map((one) => (
        <div class="choice">
          <input id={`c-${id}-${one}`} type="radio" name={`chosen-${id}`} value={one} checked={!isTyped && one === chosen} />{' '}
          <label for={`c-${id}-${one}`}>
            {amountWords(one as `${number}`, language)}
            {one === usual && <small class="quiet"> {words.usualAmount}</small>}
          </label>
        </div>
      ))}
      <AmountInput id={id} label={other} value={isTyped ? typed : ''} fault={fault} />
    </fieldset>
  );
}

interface AmountInputProps {
  /** Of the price. */
  readonly id: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly fault: string | undefined;
}

/** The field of an amount that the buyer chooses. */
function AmountInput({ id, label, value, fault }: AmountInputProps): VNode {
  return (
    <>
      <label for={`a-${id}`} id={`m-${id}`}>
        {label}
      </label>{' '}
      <Fault name={`a-${id}`} fault={fault} />
      <input
        type="text"
        id={`a-${id}`}
        name="amount"
        inputmode="decimal"
        autocomplete="off"
        maxlength={12}
        value={value}
        aria-labelledby={`m-${id} n-${id}`}
        {...faulty(`a-${id}`, fault)}
      />
    </>
  );
}
