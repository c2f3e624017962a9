import { isForCart, type WholeMembership } from '#memberships';
import type { ChosenMembership, OrderedCart } from '#selling';
import type { WholeReservation } from '#tickets';
import { currentLanguage, databaseNow, escapeHtml } from '#kernel';
import { amountWords, faultHtml } from '#page-kit';
import { periodWords } from '../memberships/membership-forms.html.js';
import { cartWords, cartWordsFor } from './cart.words.js';

/** The memberships of an open cart. @param faults by their id @param actions HTML below each */
export function chosenHtml(
  chosen: readonly ChosenMembership[],
  {
    faults = new Map(),
    actions,
  }: { readonly faults?: ReadonlyMap<string, string>; readonly actions?: (one: ChosenMembership) => string } = {},
): string {
  const language = currentLanguage();
  return chosen
    .map((one) => {
      const { id, product, name, amount } = one;
      const line = { id, title: product, name, hint: periodWords(one, language), amount };
      return sectionHtml(line, faults.get(id) ?? goneWords(one), actions?.(one) ?? '');
    })
    .join('\n');
}

/** The memberships of a completed cart, with their state. @param linkOf path of a membership's page; undefined: not to be shown yet */
export function membershipsHtml(memberships: readonly WholeMembership[], linkOf: (one: WholeMembership) => string | undefined): string {
  const language = currentLanguage();
  return memberships
    .map((one) => {
      const { id, product, price, amount } = one;
      const link = linkOf(one);
      const card = link === undefined ? '' : cardHtml(link, product.name);
      const state = `<p class="actions"><strong>${escapeHtml(stateOf(one))}</strong> ${card}</p>`;
      const hint = periodWords({ period: price.subscriptionType }, language);
      return sectionHtml({ id, title: product.name, name: price.name, hint, amount: amount as `${number}` }, undefined, state);
    })
    .join('\n');
}

function cardHtml(link: string, name: string): string {
  const words = cartWords[currentLanguage()];
  return `<a href="${escapeHtml(link)}" aria-label="${escapeHtml(words.openCard(name))}">${escapeHtml(words.card)}</a>`;
}

interface Line {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly hint: string;
  readonly amount: `${number}`;
}

/** A section of a cart with one line. @param more HTML below it */
export function sectionHtml({ id, title, name, hint, amount }: Line, fault: string | undefined, more: string): string {
  const language = currentLanguage();
  return `<section class="part${fault === undefined ? '' : ' wrong'}" id="part-${id}" tabindex="-1">
<h2 dir="auto">${escapeHtml(title)}</h2>
${
  hint === ''
    ? ''
    : `<p class="hint">${escapeHtml(hint)}</p>
`
}${faultHtml(`part-${id}`, fault)}<ul class="prices">
<li><span>1 × <bdi>${escapeHtml(name)}</bdi></span> <span class="amount">${escapeHtml(amountWords(amount, language))}</span></li>
</ul>
${more}</section>`;
}

/** Why a membership in the cart cannot be bought any more. */
function goneWords(one: ChosenMembership): string | undefined {
  const words = cartWords[currentLanguage()];
  if (isForCart(one)) return undefined;
  return one.soldOut ? words.membershipSoldOut : words.membershipGone;
}

function stateOf({ status, expiresAt }: WholeMembership): string {
  const words = cartWords[currentLanguage()];
  if (status === 'cancelled') return words.cancelled;
  if (status === 'active') return words.confirmed;
  return expiresAt !== null && expiresAt <= databaseNow() ? words.lapsed : words.unpaid;
}

/** Says which membership the tickets of a part require that the cart does not contain. Carts with memberships are paid online. */
export function missingHtml(part: WholeReservation, { missing, canPayOnline }: Pick<OrderedCart, 'missing' | 'canPayOnline'>): string {
  const words = cartWordsFor(currentLanguage(), part);
  const text = canPayOnline ? words.membersOnly : words.membersAtVenue;
  const ids = new Set(part.tickets.flatMap(({ price }) => price.requiredMembershipId ?? []));
  return [...ids]
    .flatMap((id) => missing.get(id) ?? [])
    .map((name) => `<p class="hint">${escapeHtml(text(name))} <a href="/memberships">${escapeHtml(words.seeMemberships)}</a></p>\n`)
    .join('');
}
