import type { Donation } from '#selling';
import { currentLanguage, escapeHtml } from '#kernel';
import { amountWords, inputHtml } from '#page-kit';
import { sectionHtml } from './cart-memberships.html.js';
import { removeHtml } from './cart.html.js';
import { cartWords } from './cart.words.js';

/** What a buyer typed as another amount, with the reason why it was refused. */
export interface TypedDonation {
  readonly typed: string;
  readonly fault: string;
}

/** The donation in a cart. @param more HTML below it */
export function donationHtml(donation: Donation | undefined, more: (donation: Donation) => string): string {
  if (!donation) return '';
  const { name, amount } = donation;
  const title = cartWords[currentLanguage()].donation;
  return sectionHtml({ id: 'donation', title, name, hint: '', amount: amount as `${number}` }, undefined, more(donation));
}

/** The button that removes a donation. @param path of the cart */
export const removeDonationHtml = (donation: Donation, path: string): string =>
  `<div class="actions">${removeHtml(donation.id, donation.name, path)}</div>`;

/** The state of the donation of a completed cart. */
export function donationStateHtml({ isPaid }: Donation): string {
  const words = cartWords[currentLanguage()];
  return `<p class="actions"><strong>${escapeHtml(isPaid ? words.donationPaid : words.unpaid)}</strong></p>`;
}

/**
 * The form that adds a donation.
 * @param suggested decimal texts, separated by spaces
 * @param path of the cart
 */
export function askDonationHtml(venue: string, suggested: string, path: string, refused?: TypedDonation): string {
  const language = currentLanguage();
  const words = cartWords[language];
  const buttons = suggested.split(' ').map((amount) => {
    const shown = amountWords(amount as `${number}`, language);
    const label = escapeHtml(words.donationGive(shown));
    const attributes = `name="suggested" value="${escapeHtml(amount)}" aria-label="${label}"`;
    return `<button class="button other" ${attributes}>${escapeHtml(shown)}</button>`;
  });
  const field = { name: 'donation', label: words.donationAmount, fault: refused?.fault };
  const attributes = { value: refused?.typed ?? '', inputmode: 'decimal', autocomplete: 'off', maxlength: 12 };
  return `<section class="part" id="give">
<h2>${escapeHtml(words.donation)}</h2>
<p class="hint">${escapeHtml(words.donationAsk(venue))}</p>
<form class="order" method="post" action="${escapeHtml(path)}/donation">
<p class="ways">${buttons.join('\n')}</p>
${inputHtml(field, attributes)}
<p><button class="button other">${escapeHtml(words.donationAdd)}</button></p>
</form>
</section>`;
}
