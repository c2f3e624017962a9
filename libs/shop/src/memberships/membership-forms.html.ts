import { amountWords, checkboxHtml, inputHtml, noticeHtml, summaryHtml } from '#page-kit';
import { isForCart, type AskedMembershipOffer, type MembershipOffer, type Renewal } from '#memberships';
import { costsNothing, currency, databaseNow, dayWords, dotted, escapeHtml, grouped, type Language, moneyWords } from '#kernel';
import { bookingWords } from '#pages';
import type { TypedContact } from '../order/contact-form.dto.js';
import { orderWords } from '../order/order.words.js';
import { fieldset, orderQuestionsHtml } from '../order/questions.html.js';
import { membershipWords } from './membership.words.js';
import { closedWords, isFree, untilWords } from './offer-words.js';

/** A form with what was typed. */
export interface ShownForm {
  readonly path: string;
  readonly language: Language;
  readonly hasTerms: boolean;
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** Why it was not accepted, when that is about no field. */
  readonly notice: string | undefined;
}

/** How the offers are sold. */
export interface Selling {
  /** Whether something can be paid on the pages. */
  readonly canPay: boolean;
  /** Whether there are events whose tickets can be in the same cart. */
  readonly hasCart: boolean;
}

/** The offers by product, each with a link to its form. */
export function membershipOffersHtml(offers: readonly MembershipOffer[], selling: Selling, language: Language): string {
  const words = membershipWords[language];
  return [...grouped(offers, ({ productId }) => productId).values()]
    .map((prices) => {
      const [{ product, description }] = prices as [MembershipOffer];
      const lead = description === null ? '' : `<p dir="auto">${escapeHtml(description)}</p>\n`;
      return `<section>\n<h2 dir="auto">${escapeHtml(product)}</h2>\n${lead}<ul class="prices offers">
${prices.map((price) => offerHtml(price, selling, language)).join('\n')}\n</ul>\n</section>`;
    })
    .concat(offers.length === 0 ? `<p>${escapeHtml(words.none)}</p>` : [])
    .join('\n');
}

function offerHtml(offer: MembershipOffer, { canPay, hasCart }: Selling, language: Language): string {
  const words = membershipWords[language];
  const { priceId, name, required } = offer;
  const until = untilWords(offer, language);
  const needs = required === null ? [] : [words.needs(required)];
  const notes = [periodWords(offer, language), ...needs, ...(until === undefined ? [] : [until])];
  const state = closedWords(offer, canPay, language);
  const join = `<a class="button" href="/memberships/${priceId}" aria-labelledby="j-${priceId} n-${priceId}">`;
  const action =
    state === undefined ? `${join}<span id="j-${priceId}">${escapeHtml(words.join)}</span></a>` : `<em>${escapeHtml(state)}</em>`;
  const isSold = hasCart && canPay && state === undefined;
  const cart = isSold && isForCart(offer) ? addHtml(priceId, language) : '';
  const reason = offer.freeAmount ? words.aloneChosen : isFree(offer) ? words.aloneFree : '';
  const alone = isSold && reason !== '' ? `<small>${escapeHtml(reason)}</small>` : '';
  return `<li class="offer"><span class="offer-name"><bdi id="n-${priceId}">${escapeHtml(name)}</bdi>
<small>${escapeHtml(dotted(notes))}</small></span> <span class="amount">${escapeHtml(costWords(offer, language))}</span>
<div class="choosing">${action}${cart}${alone}</div></li>`;
}

function addHtml(priceId: string, language: Language): string {
  const label = `<span id="c-${priceId}">${escapeHtml(bookingWords[language].addToCart)}</span>`;
  return `<form class="order" method="post" action="/cart/membership/${priceId}">
<button class="button other" aria-labelledby="c-${priceId} n-${priceId}">${label}</button></form>`;
}

/** How long a membership lasts. */
export function periodWords({ period }: Pick<MembershipOffer, 'period'>, language: Language): string {
  const words = membershipWords[language];
  return period === 'Y' ? words.year : period === 'M' ? words.month : words.endless;
}

function costWords({ amount, freeAmount }: Pick<MembershipOffer, 'amount' | 'freeAmount'>, language: Language): string {
  const words = membershipWords[language];
  if (!freeAmount) return amountWords(amount, language);
  return costsNothing(amount) ? words.freeAmount : words.amountFrom(amountWords(amount, language));
}

/** The form to join. Works without scripts. */
export function joiningFormHtml(offer: AskedMembershipOffer, token: string, shown: ShownForm): string {
  const { path, language, hasTerms, typed, faults, notice } = shown;
  const [words, order] = [membershipWords[language], orderWords[language]];
  const text = (field: string): string => typed(field)[0] ?? '';
  const name = (field: 'first_name' | 'last_name', label: string, autocomplete: string): string =>
    inputHtml(
      { name: field, label, optional: order.optional, fault: faults.get(field) },
      { value: text(field), maxlength: 100, autocomplete },
    );
  const contact = [
    `<p class="hint">${escapeHtml(order.required)}</p>`,
    inputHtml(
      { name: 'email', label: order.email, hint: words.emailHint, fault: faults.get('email') },
      { type: 'email', value: text('email'), required: true, maxlength: 254, autocomplete: 'email' },
    ),
    `<div class="pair">${name('first_name', order.firstName, 'given-name')}${name('last_name', order.lastName, 'family-name')}</div>`,
  ];
  const amount = offer.freeAmount ? fieldset(words.contribution, [amountHtml(offer, text('amount'), faults.get('amount'), language)]) : '';
  const send = isFree(offer)
    ? words.send
    : offer.freeAmount
      ? words.sendFreeAmount
      : words.pay(moneyWords(offer.amount, currency, language));
  const refusal = `${noticeHtml(notice)}${summaryHtml(order.faults, faults)}`;
  return `${refusal}<form class="sheet order" method="post" action="${escapeHtml(path)}" novalidate>
<input type="hidden" name="form" value="${escapeHtml(token)}">
${fieldset(order.contact, contact)}
${orderQuestionsHtml({ questions: offer.questions, tickets: [], typed, faults, words: order })}
${amount}
<div class="closing">
${hasTerms ? termsHtml(shown) : ''}
<p><button class="button">${escapeHtml(send)}</button></p>
</div>
</form>`;
}

function amountHtml({ amount }: MembershipOffer, value: string, fault: string | undefined, language: Language): string {
  const words = membershipWords[language];
  const hint = costsNothing(amount) ? words.freeAmount : words.amountFrom(amountWords(amount, language));
  return inputHtml(
    { name: 'amount', label: words.amount, hint, fault },
    { value: value || (costsNothing(amount) ? '' : amount), inputmode: 'decimal', maxlength: 12, autocomplete: 'off' },
  );
}

/** What is renewed, and the button. @param canPay whether something can be paid on the pages */
export function renewalFormHtml(renewal: Renewal, timeZone: string, canPay: boolean, shown: ShownForm): string {
  const { membership, offer, amount, next } = renewal;
  const { path, language, hasTerms, faults, notice } = shown;
  const words = membershipWords[language];
  const { validUntil, product, price } = membership;
  const day = (instant: Date): string => dayWords(new Date(instant.getTime() - 1), language, timeZone);
  const ends = validUntil === null ? words.endless : (validUntil > databaseNow() ? words.endsOn : words.endedOn)(day(validUntil));
  const head = `<section><p>${escapeHtml(ends)}</p>
<ul class="prices"><li><span><bdi>${escapeHtml(`${product.name} · ${price.name}`)}</bdi></span>
<span class="amount">${escapeHtml(amountWords(amount, language))}</span></li></ul></section>`;
  if (next?.status === 'active') {
    const text = next.validUntil === null ? words.endless : words.renewed(day(next.validUntil));
    return `${head}\n<section class="step"><p>${escapeHtml(text)}</p></section>`;
  }
  const closed = offer && closedWords({ ...offer, amount, freeAmount: false }, canPay, language);
  if (!isRenewable(renewal) || closed !== undefined)
    return `${head}\n<section class="step"><p>${escapeHtml(closed ?? words.notSold)}</p>
<p><a class="button" href="/memberships">${escapeHtml(words.all)}</a></p></section>`;
  const send = costsNothing(amount) ? words.renew : words.pay(moneyWords(amount, currency, language));
  return `${noticeHtml(notice)}${summaryHtml(orderWords[language].faults, faults)}${head}
<form class="sheet order" method="post" action="${escapeHtml(path)}" novalidate>
<div class="closing">
${hasTerms ? termsHtml(shown) : ''}
<p><button class="button">${escapeHtml(send)}</button></p>
</div>
</form>`;
}

/** Whether a membership has an end, is active, and its price is offered still. */
export function isRenewable({ membership, offer }: Renewal): boolean {
  return offer !== undefined && membership.validUntil !== null && membership.status === 'active';
}

function termsHtml({ typed, faults, language }: ShownForm): string {
  const words = orderWords[language];
  const field = { name: 'terms', label: words.terms, fault: faults.get('terms') };
  const box = checkboxHtml(field, (typed('terms')[0] ?? '') !== '', { required: true });
  return `${box}<p><a href="/terms" target="_blank" rel="noopener">${escapeHtml(words.readTerms)}</a></p>`;
}
