import { costsNothing, dotted, escapeHtml, grouped, writtenAmount, type Language } from '#kernel';
import { type Visitor, amountWords, faultHtml, faulty, priceWords, signInPath, summaryHtml, written } from '#page-kit';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { bookingWords, type BookingWords } from './booking.words.js';
import { closingWords, isGone, shutWords } from './sale-words.js';

/** Maximum number of tickets of one order. */
const mostTickets = 100;

/** An option that a buyer of tickets for the event can choose. */
export interface ChosenOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'radio' | 'checkbox';
}

/** What a buyer typed. Texts as they were sent. */
export interface TypedTickets {
  readonly quantities: ReadonlyMap<string, string>;
  readonly amounts: ReadonlyMap<string, string>;
  readonly options: ReadonlySet<string>;
}

/** The form with which buyers choose tickets. */
export interface BookingForm {
  /** Path that the form is sent to. */
  readonly action: string;
  /** `change`: other tickets for an order that was begun; `cart`: tickets for the cart only. */
  readonly kind: 'book' | 'change' | 'cart';
  /** Path of the order that the form changes. */
  readonly order?: string | undefined;
  /** The event that the form names, when its path does not. */
  readonly event?: string | undefined;
  /** Path that adds the tickets to a cart; absent: there is nothing else to buy. */
  readonly cart?: string | undefined;
  readonly typed?: TypedTickets | undefined;
  /** By the id of the field: `tickets`, `q-<price>`, `a-<price>`, `options`. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
}

/** What the form offers. */
export interface BookingOffer {
  readonly prices: readonly PublicPrice[];
  readonly options: readonly ChosenOption[];
  /** Maximum number of tickets of one person for the event. */
  readonly maxPerUser: number | null;
  /** Whether buyers can pay, online or at the venue. */
  readonly canPay: boolean;
  /** Of the venue. */
  readonly timeZone: string;
  /** The form says how many tickets of a price are left when it is at most this number; 0: never. */
  readonly fewLeft: number;
  /** Path of the page of the event: who signs in returns to it. */
  readonly page: string;
  /** Who is signed in. */
  readonly visitor?: Visitor | undefined;
}

/** Whether tickets at this price can be chosen now. */
export function isBookable(price: PublicPrice, canPay: boolean): boolean {
  return !price.soldOut && price.sale === 'open' && isPayable(price, canPay);
}

/** Whether a buyer of this price can pay it here. */
export function isPayable({ amount, freeAmount }: Pick<PublicPrice, 'amount' | 'freeAmount'>, canPay: boolean): boolean {
  return canPay || (costsNothing(amount) && !freeAmount);
}

/** Names of the words on the first button. */
const buttons = { book: 'book', change: 'change', cart: 'addToCart' } as const;

const namedHtml = (event: string | undefined): string =>
  event === undefined ? '' : `<input type="hidden" name="event" value="${escapeHtml(event)}">\n`;

/** The form: prices with a number field each, options, and a button. Works without scripts. */
export function bookingFormHtml(offer: BookingOffer, form: BookingForm, language: Language): string {
  const words = bookingWords[language];
  const { faults = new Map<string, string>() } = form;
  const bookable = offer.prices.filter((price) => isBookable(price, offer.canPay));
  const { maxPerUser } = offer;
  const goods = offer.prices.find(({ admits }) => !admits);
  const lines = [...grouped(offer.prices, ({ product }) => product)].map(
    ([
      product,
      prices,
    ]) => `${goods !== undefined && prices.includes(goods) ? collectHtml(words) : ''}<h3 dir="auto">${escapeHtml(product)}</h3>
<ul class="prices offers">
${prices.map((price) => lineHtml(price, offer, form, bookable.length === 1, language)).join('\n')}
</ul>`,
  );
  return `<form class="booking" method="post" action="${escapeHtml(form.action)}" novalidate>
${namedHtml(form.event)}${summaryHtml(words.faults, faults)}<div id="tickets" tabindex="-1">${faultHtml('tickets', faults.get('tickets'))}
${lines.join('\n')}
</div>
${maxPerUser === null ? '' : `<p class="hint">${escapeHtml(words.mostPerPerson(maxPerUser))}</p>\n`}
${optionsHtml(offer.options, form, language)}
<p class="ways"><button class="button">${escapeHtml(words[buttons[form.kind]])}</button>
${cartHtml(form, language)}</p>
<p class="hint">${escapeHtml(words.next)}</p>
</form>`;
}

/** Above the goods of an event. The shop is no page for frames on other sites. */
function collectHtml(words: BookingWords): string {
  const shop = `<a href="/shop" target="_top">${escapeHtml(words.wholeShop)}</a>`;
  return `<p class="hint goods">${escapeHtml(words.collectHere)} ${shop}</p>\n`;
}

function cartHtml({ cart }: BookingForm, language: Language): string {
  if (cart === undefined) return '';
  const words = bookingWords[language];
  // The cart is no page for frames on other sites: there it opens in the whole window.
  const add = `<button class="button other" formaction="${escapeHtml(cart)}" formtarget="_top">${escapeHtml(words.addToCart)}</button>`;
  return `${add}\n<a href="/cart" target="_top">${escapeHtml(words.cart)}</a>`;
}

function lineHtml(price: PublicPrice, offer: BookingOffer, form: BookingForm, isOnly: boolean, language: Language): string {
  const { id, name, left, membership } = price;
  const words = bookingWords[language];
  const shut = shutWords(price, language, offer.timeZone);
  const closing = closingWords(price, language, offer.timeZone);
  const notes = [
    ...(left !== null && left > 0 && left <= offer.fewLeft && shut === undefined ? [words.left(left)] : []),
    ...(closing === undefined ? [] : [closing]),
    ...(shut !== undefined && !isGone(price) ? [shut] : []),
  ];
  const note = [
    ...(membership === null ? [] : [shut === undefined ? memberNote(price, membership, offer, language) : shutNote(membership, words)]),
    ...notes.map((text) => `<small>${escapeHtml(text)}</small>`),
  ].join(' ');
  const cost = escapeHtml(priceWords(price, language));
  const head = (shown: string): string =>
    `<span class="offer-name"><bdi id="n-${id}">${escapeHtml(name)}</bdi>${note === '' ? '' : ` ${note}`}</span>` +
    ` <span class="amount">${shown}</span>`;
  // The link of a fault leads to the line when it has no field any more.
  const target = form.faults?.has(`q-${id}`) ? ` id="q-${id}" tabindex="-1"` : '';
  if (shut !== undefined) return `<li${target}>${head(isGone(price) ? `<s>${cost}</s> <em>${escapeHtml(shut)}</em>` : cost)}</li>`;
  if (!isBookable(price, offer.canPay))
    return `<li${target}>${head(`<span>${cost}</span> <em>${escapeHtml(words.atVenueOnly)}</em>`)}</li>`;
  const names = price.admits ? words : { ...words, number: words.quantity };
  return `<li class="offer">${head(cost)}
<div class="choosing">${quantityHtml(price, offer, form, isOnly, names)}${amountHtml(price, form, language, !price.admits)}</div></li>`;
}

/** Whom a price for members is for, and how one becomes a member or signs in. */
function memberNote(
  { membershipId }: PublicPrice,
  name: string,
  { page, visitor }: Pick<BookingOffer, 'page' | 'visitor'>,
  language: Language,
): string {
  const words = bookingWords[language];
  if (membershipId !== null && visitor?.memberships.has(membershipId)) return `<small>${escapeHtml(words.yourPrice(name))}</small>`;
  return joiningNote(name, visitor ? undefined : page, language);
}

/** Whom a price is for, and the ways to become a member and to sign in. @param page to return to; undefined: somebody is signed in */
export function joiningNote(name: string, page: string | undefined, language: Language): string {
  const words = bookingWords[language];
  const join = `<a href="/memberships">${escapeHtml(words.joinFirst)}</a>`;
  const link = page === undefined ? undefined : escapeHtml(signInPath(page));
  // The account is no page for frames on other sites: there it opens in the whole window.
  const signIn = link === undefined ? [] : [`<a href="${link}" rel="nofollow" target="_top">${escapeHtml(words.signIn)}</a>`];
  return `<small>${escapeHtml(words.membersOnly(name))} ${dotted([join, ...signIn])}</small>`;
}

/** Whom a price is for that cannot be chosen now. */
function shutNote(name: string, words: BookingWords): string {
  return `<small>${escapeHtml(words.forMembers(name))} <a href="/memberships">${escapeHtml(words.joinFirst)}</a></small>`;
}

/** Names of the number field and its buttons. */
type NumberWords = Pick<(typeof bookingWords)[Language], 'number' | 'fewer' | 'more'>;

/** The fields of goods outside of the page of an event. @param isOnly nothing else is in the form */
export function goodsFieldsHtml(price: Numbered, isOnly: boolean, words: NumberWords, language: Language): string {
  const form = { action: '', kind: 'book' } as const;
  return `${quantityHtml(price, { maxPerUser: null }, form, isOnly, words)}${amountHtml(price, form, language, true)}`;
}

type Numbered = Pick<PublicPrice, 'id' | 'left' | 'maxPerUser' | 'amount' | 'freeAmount'>;

function quantityHtml(
  price: Numbered,
  offer: Pick<BookingOffer, 'maxPerUser'>,
  form: BookingForm,
  isOnly: boolean,
  words: NumberWords,
): string {
  const { id, left, maxPerUser } = price;
  const fault = form.faults?.get(`q-${id}`);
  const most = Math.min(mostTickets, left ?? mostTickets, maxPerUser ?? mostTickets, offer.maxPerUser ?? mostTickets);
  const typed = form.typed?.quantities.get(id);
  const attributes = {
    type: 'number',
    id: `q-${id}`,
    name: 'quantity',
    min: 0,
    max: most,
    step: 1,
    inputmode: 'numeric',
    autocomplete: 'off',
    value: typed ?? (form.typed === undefined && isOnly ? '1' : '0'),
    'aria-labelledby': `l-${id} n-${id}`,
    ...faulty(`q-${id}`, fault),
  };
  return `<div class="field quantity${fault === undefined ? '' : ' wrong'}"><input type="hidden" name="price" value="${id}">
<label for="q-${id}" id="l-${id}">${escapeHtml(words.number)}</label>
${faultHtml(`q-${id}`, fault)}<span class="stepper"
data-fewer="${escapeHtml(words.fewer)}" data-more="${escapeHtml(words.more)}">
<input${written(attributes)}></span></div>`;
}

/** The field of a free price. Fixed prices send an empty amount, so that the fields of a line keep their positions. */
function amountHtml({ id, amount, freeAmount }: Numbered, form: BookingForm, language: Language, isGoods: boolean): string {
  if (!freeAmount) return '<input type="hidden" name="amount" value="">';
  const words = bookingWords[language];
  const fault = form.faults?.get(`a-${id}`);
  const attributes = {
    type: 'text',
    id: `a-${id}`,
    name: 'amount',
    inputmode: 'decimal',
    autocomplete: 'off',
    maxlength: 12,
    value: form.typed?.amounts.get(id) ?? (costsNothing(amount) ? '' : writtenAmount(amount, language)),
    'aria-labelledby': `m-${id} n-${id}`,
    ...faulty(`a-${id}`, fault),
  };
  const [free, from] = isGoods ? [words.itemAmount, words.itemAmountFrom] : [words.amount, words.amountFrom];
  const label = costsNothing(amount) ? free : from(amountWords(amount, language));
  return `<div class="field${fault === undefined ? '' : ' wrong'}"><label for="a-${id}" id="m-${id}">${escapeHtml(label)}</label>
${faultHtml(`a-${id}`, fault)}<input${written(attributes)}></div>`;
}

function optionsHtml(options: readonly ChosenOption[], { typed, faults }: BookingForm, language: Language): string {
  if (options.length === 0) return '';
  const fault = faults?.get('options');
  const items = options.map(({ id, name, kind }) => {
    const attributes = { type: kind, id: `o-${id}`, name: 'option', value: id, checked: typed?.options.has(id) ?? false };
    return `<div class="choice"><input${written(attributes)}><label for="o-${id}"><bdi>${escapeHtml(name)}</bdi></label></div>`;
  });
  return `<fieldset class="options" id="options" tabindex="-1"><legend>${escapeHtml(bookingWords[language].options)}</legend>
${faultHtml('options', fault)}${items.join('\n')}</fieldset>\n`;
}
