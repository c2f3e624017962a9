import type { ChosenGiftCard } from '#gift-cards';
import { currency, currentLanguage, moneyWords } from '#kernel';
import { InputField, type Venue } from '#page-kit';
import type { VNode } from 'preact';
import { giftCardWords } from './gift-card.words.js';

/** The gift cards of an order. */
export interface OrderGiftCards {
  readonly chosen: readonly ChosenGiftCard[];
  /** What is left to pay with them, decimal text. */
  readonly rest: string;
  /** Why the last one was refused, or why those that were entered cannot be checked. */
  readonly fault?: string | undefined;
  /** Cards were entered that cannot be checked. */
  readonly isSilent?: boolean;
}

interface RedeemFormProps {
  /** Path of the order or the cart. */
  readonly path: string;
  readonly venue: Venue;
  readonly cards: OrderGiftCards;
}

/** The field for gift cards of an order, folded away until one is entered, where the venue has some. */
export function RedeemForm({ path, venue, cards: { chosen, rest, fault, isSilent } }: RedeemFormProps): VNode | null {
  const language = currentLanguage();
  const words = giftCardWords[language];
  if (venue.hasGiftCards !== true) return null;
  const attributes = { maxlength: 40, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' };
  const money = (amount: string): string => moneyWords(amount, currency, language);
  return (
    <details class="fold" open={chosen.length > 0 || fault !== undefined} id="gift-card">
      <summary class="line">{words.have}</summary>
      <div class="flow">
        {chosen.length > 0 && (
          <>
            <div class="notice" role="status">
              {chosen.map(({ tail, balance }) => (
                <p>{words.uses(tail, money(balance))}</p>
              ))}
              <p>
                <strong>{words.rest(money(rest))}</strong>
              </p>
            </div>
            <RemoveCards path={path} />
          </>
        )}
        {isSilent === true && <RemoveCards path={path} />}
        <form class="order flow" method="post" action={`${path}/gift-card`}>
          <InputField field={{ name: 'giftCard', label: words.code, hint: words.codeHint, fault }} attributes={attributes} />
          <p>
            <button class="button other button-small">{words.apply}</button>
          </p>
        </form>
      </div>
    </details>
  );
}

/** The button that gives the entered cards up. */
export function RemoveCards({ path }: Pick<RedeemFormProps, 'path'>): VNode {
  return (
    <form class="order" method="post" action={`${path}/gift-card`}>
      <input type="hidden" name="giftCard" value="" />
      <p>
        <button class="button other button-small">{giftCardWords[currentLanguage()].remove}</button>
      </p>
    </form>
  );
}
