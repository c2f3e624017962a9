import { amountWords, priceWords, signInPath } from '#page-kit';
import type { CartSaving, JoiningSaving } from '#selling';
import { currentLanguage, sumOf, type Language } from '#kernel';
import { bookingWords } from '#pages';
import type { VNode } from 'preact';
import { Step } from '../frame/step.js';
import { cartWords } from './cart.words.js';

interface SavingProps {
  readonly saving: CartSaving;
  /** Of the cart. */
  readonly path: string;
}

/** What the cart would cost with memberships, and the button that changes it. */
export function Saving({ saving, path }: SavingProps): VNode {
  const { memberships, isPossible, after } = saving;
  const language = currentLanguage();
  const words = cartWords[language];
  const sums = sumsOf(saving, language);
  const isOwned = memberships.length === 0;
  const names = memberships.map(({ product }) => product).join(' + ');
  const costs = { ...sums, names, cost: amountWords(sumOf(memberships) as `${number}`, language) };
  const text = isOwned ? words.saveOwn(sums) : isPossible ? words.saveText(costs) : words.saveAtVenue(costs);
  const way = isPossible ? (
    <form class="order" method="post" action={`${path}/save`}>
      {memberships.map(({ priceId }) => (
        <input type="hidden" name="membership" value={priceId} />
      ))}
      <input type="hidden" name="sum" value={after} /> <button class="button other">{words.save(sums.saving)}</button>
    </form>
  ) : (
    <p>
      <a href="/memberships">{words.seeMemberships}</a>
    </p>
  );
  return (
    <Step title={words.saveTitle} lines={[text]}>
      {way}
      {!isOwned && <MemberHint />}
    </Step>
  );
}

/** A membership with a form of its own with which the cart would cost less, and the way to that form. */
export function Joining({ joining }: { readonly joining: JoiningSaving }): VNode {
  const { membership } = joining;
  const language = currentLanguage();
  const words = cartWords[language];
  const { product: names, priceId } = membership;
  const cost = priceWords(membership, language);
  const lines = [words.saveJoin({ ...sumsOf(joining, language), names, cost }), words.joinFirst];
  return (
    <Step title={words.saveTitle} lines={lines}>
      <p>
        <a class="button other" href={`/memberships/${priceId}`}>
          {words.join(names)}
        </a>
      </p>
      <MemberHint />
    </Step>
  );
}

type Sums = Pick<CartSaving, 'before' | 'after' | 'saving'>;

/** The sums as they are shown. */
function sumsOf({ before, after, saving }: Sums, language: Language): Sums {
  const amount = (sum: string): string => amountWords(sum as `${number}`, language);
  return { before: amount(before), after: amount(after), saving: amount(saving) };
}

function MemberHint(): VNode {
  const language = currentLanguage();
  return (
    <p class="hint">
      {cartWords[language].alreadyMember}{' '}
      <a href={signInPath('/cart')} rel="nofollow">
        {bookingWords[language].signIn}
      </a>
    </p>
  );
}
