import { amountWords, priceWords, signInPath } from '#page-kit';
import type { CartSaving, JoiningSaving } from '#selling';
import { currentLanguage, escapeHtml, sumOf } from '#kernel';
import { bookingWords } from '#pages';
import { stepHtml } from '../order/step.html.js';
import { cartWords } from './cart.words.js';

/** What the cart would cost with memberships, and the button that changes it. @param path of the cart */
export function savingHtml({ memberships, isPossible, before, after, saving }: CartSaving, path: string): string {
  const language = currentLanguage();
  const words = cartWords[language];
  const amount = (sum: string): string => amountWords(sum as `${number}`, language);
  const sums = { before: amount(before), after: amount(after), saving: amount(saving) };
  const names = memberships.map(({ product }) => product).join(' + ');
  const isOwned = memberships.length === 0;
  const costs = { ...sums, names, cost: amount(sumOf(memberships)) };
  const text = isOwned ? words.saveOwn(sums) : isPossible ? words.saveText(costs) : words.saveAtVenue(costs);
  const fields = memberships.map(({ priceId }) => `<input type="hidden" name="membership" value="${priceId}">`).join('');
  const form = `<form class="order" method="post" action="${escapeHtml(path)}/save">
${fields}<input type="hidden" name="sum" value="${escapeHtml(after)}">
<button class="button other">${escapeHtml(words.save(sums.saving))}</button></form>`;
  const way = isPossible ? form : `<p><a href="/memberships">${escapeHtml(words.seeMemberships)}</a></p>`;
  const hint = isOwned ? [] : [memberHintHtml()];
  return stepHtml(words.saveTitle, [text], { html: [way, ...hint] });
}

/** A membership with a form of its own with which the cart would cost less, and the way to that form. */
export function joiningHtml({ membership, before, after, saving }: JoiningSaving): string {
  const language = currentLanguage();
  const words = cartWords[language];
  const amount = (sum: string): string => amountWords(sum as `${number}`, language);
  const sums = { before: amount(before), after: amount(after), saving: amount(saving) };
  const { product: names, priceId } = membership;
  const link = `<p><a class="button other" href="/memberships/${escapeHtml(priceId)}">${escapeHtml(words.join(names))}</a></p>`;
  return stepHtml(words.saveTitle, [words.saveJoin({ ...sums, names, cost: priceWords(membership, language) }), words.joinFirst], {
    html: [link, memberHintHtml()],
  });
}

function memberHintHtml(): string {
  const language = currentLanguage();
  const signIn = `<a href="${signInPath('/cart')}" rel="nofollow">${escapeHtml(bookingWords[language].signIn)}</a>`;
  return `<p class="hint">${escapeHtml(cartWords[language].alreadyMember)} ${signIn}</p>`;
}
