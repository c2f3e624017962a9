import type { CartSaving } from '#booking';
import { currentLanguage, escapeHtml, sumOf } from '#kernel';
import { amountWords, bookingWords, signInPath } from '#pages';
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
  const signIn = `<a href="${signInPath('/cart')}" rel="nofollow">${escapeHtml(bookingWords[language].signIn)}</a>`;
  const hint = isOwned ? [] : [`<p class="hint">${escapeHtml(words.alreadyMember)} ${signIn}</p>`];
  return stepHtml(words.saveTitle, [text], { html: [way, ...hint] });
}
