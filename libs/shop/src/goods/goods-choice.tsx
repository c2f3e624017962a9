import { amountWords } from '#page-kit';
import type { GoodsPrice } from '#tickets';
import { costsNothing, currentLanguage, toCents } from '#kernel';
import { bookingWords, GoodsNumber, JoiningNote } from '#pages';
import type { VNode } from 'preact';
import { goodsWords } from './goods.words.js';

interface ChoiceProps {
  readonly productId: string;
  readonly prices: readonly GoodsPrice[];
  readonly canPay: boolean;
}

/** Sizes, or other kinds, of a product: one of them is chosen, and one number. None is chosen before: a wrong size comes back. */
export function Choice({ productId, prices, canPay }: ChoiceProps): VNode {
  const language = currentLanguage();
  const words = goodsWords[language];
  const bookable = prices.filter((price) => isBookable(price, canPay));
  const isSame = new Set(prices.map(({ amount }) => toCents(amount))).size === 1;
  const members = [...new Set(prices.flatMap(({ membership }) => membership ?? []))];
  return (
    <>
      <fieldset class="sizes">
        <legend class="small">{words.kind}</legend>
        <div class="chips">
          {prices.map((price) => (
            <Size price={price} isBookable={bookable.includes(price)} showsCost={!isSame} />
          ))}
        </div>
      </fieldset>
      {members.map((name) => (
        <JoiningNote name={name} page="/shop" language={language} />
      ))}
      {bookable.length > 0 ? (
        <GoodsNumber productId={productId} prices={bookable} words={words} />
      ) : (
        <p>
          <em class="stamp stamp-quiet">{prices.every(({ left }) => left === 0) ? words.soldOut : bookingWords[language].atVenueOnly}</em>
        </p>
      )}
    </>
  );
}

interface SizeProps {
  readonly price: GoodsPrice;
  readonly isBookable: boolean;
  /** The sizes cost different amounts. */
  readonly showsCost: boolean;
}

function Size({ price: { id, name, amount, left }, isBookable: isSold, showsCost }: SizeProps): VNode {
  const language = currentLanguage();
  const notes = [showsCost ? amountWords(amount, language) : null, left === 0 ? goodsWords[language].soldOut : null];
  return (
    <label class="size">
      <input class="unseen" type="radio" name="price" value={id} required disabled={!isSold} />{' '}
      <span class="chip">
        <bdi>{name}</bdi>
        {notes.map((note) => note !== null && <small> {note}</small>)}
      </span>
    </label>
  );
}

/** `€22`, or `€15 – €22`. */
export function rangeOf(prices: readonly GoodsPrice[]): string {
  const language = currentLanguage();
  const amounts = prices.map(({ amount }) => amount).toSorted((one, other) => toCents(one) - toCents(other));
  const [least, most] = [amounts[0], amounts.at(-1)].map((amount) => amountWords(amount ?? '0', language));
  return least === most ? `${least}` : `${least} – ${most}`;
}

/** Whether a price can be chosen on the page. @param canPay whether something of the product can be paid now */
export function isBookable({ left, amount, freeAmount }: GoodsPrice, canPay: boolean): boolean {
  return left !== 0 && (canPay || (costsNothing(amount) && !freeAmount));
}
