import { pageFrame, priceWords, publicReply, selectHtml } from '#page-kit';
import { OnSaleService, type GoodsOnSale, type GoodsPrice } from '#tickets';
import type { Reply } from '#http';
import {
  costsNothing,
  currentLanguage,
  dayAndTimeWords,
  dotted,
  escapeHtml,
  momentWords,
  SETTINGS,
  timeWords,
  type Language,
  type Settings,
} from '#kernel';
import { bookingWords, goodsFieldsHtml, joiningNote, PublicEventsService } from '#pages';
import { CheckoutsService } from '#payments';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { orderWords } from '../order/order.words.js';
import { goodsWords } from './goods.words.js';

/** The page with the goods of the venue, which are handed out at events. */
@Injectable()
export class GoodsPagesService {
  constructor(
    private readonly onSale: OnSaleService,
    private readonly checkouts: CheckoutsService,
    private readonly events: PublicEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** All goods, the same for everybody. */
  async goods(): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = goodsWords[language];
    const goods = await this.onSale.goods();
    const venue = await this.events.venue();
    const isOnline = await this.checkouts.available();
    const list = goods.map((one) => productHtml(one, isOnline, tenant.timeZone)).join('\n');
    const cart = goods.length === 0 ? '' : `\n<p><a href="/cart">${escapeHtml(bookingWords[language].cart)}</a></p>`;
    const main = `<p class="back"><a href="/">← ${escapeHtml(orderWords[language].backToAgenda)}</a></p>
<article class="holder order-page">
<header><h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(goods.length === 0 ? words.none : words.lead)}</p></header>\n${list}${cart}\n</article>`;
    const summary = { canonical: tenantUrl(this.settings, tenant, '/shop'), description: words.lead };
    const title = `${words.title} · ${tenant.name}`;
    const html = pageFrame({ tenant, language, title, main, venue, summary, address: '/shop', hasScript: true });
    return publicReply('text/html', html, { hasForm: true });
  }
}

/** A product with the form that adds it to the cart. It is collected at events for which it can be paid now. */
function productHtml({ productId, product, description, prices, ...sold }: GoodsOnSale, isOnline: boolean, timeZone: string): string {
  const language = currentLanguage();
  const words = goodsWords[language];
  const payable = sold.events.filter(({ payAtVenue }) => isOnline || payAtVenue);
  const canPay = payable.length > 0;
  const events = canPay ? payable : sold.events;
  const isOnSale = prices.some((price) => isBookable(price, canPay));
  const lead = description === null ? '' : `<p dir="auto">${escapeHtml(description)}</p>\n`;
  const lines = prices.map((price) => priceHtml(price, canPay, prices.length === 1));
  const nameOf = ({ name, startsAt }: GoodsOnSale['events'][number]): string => `${name}, ${dayAndTimeWords(startsAt, language, timeZone)}`;
  const [first] = events as [GoodsOnSale['events'][number]];
  // The time first, in short: long names are cut off on a phone.
  const choices = events.map((event) => [event.id, dotted([shortWhen(event.startsAt, language, timeZone), event.name])] as const);
  const collecting =
    events.length === 1
      ? `<p class="hint">${escapeHtml(words.collectAt(nameOf(first)))}</p><input type="hidden" name="event" value="${first.id}">`
      : selectHtml({ name: `event-${productId}`, label: words.collect }, first.id, choices, { name: 'event' });
  const add = `<p><button class="button" aria-labelledby="b-${productId} p-${productId}">
<span id="b-${productId}">${escapeHtml(bookingWords[language].addToCart)}</span></button></p>`;
  return `<section><h2 dir="auto" id="p-${productId}">${escapeHtml(product)}</h2>
${lead}<form class="booking" method="post" action="/cart/goods">
<ul class="prices offers">
${lines.join('\n')}
</ul>
${isOnSale ? `${collecting}\n${add}` : ''}</form></section>`;
}

function priceHtml(price: GoodsPrice, canPay: boolean, isOnly: boolean): string {
  const language = currentLanguage();
  const [words, booking] = [goodsWords[language], bookingWords[language]];
  const { id, name, membership, left } = price;
  const cost = priceWords(price, language);
  const joining = membership === null ? '' : ` ${joiningNote(membership, '/shop', language)}`;
  const head = (shown: string): string =>
    `<span class="offer-name"><bdi id="n-${id}">${escapeHtml(name)}</bdi>${joining}</span>
<span class="amount">${shown}</span>`;
  if (isBookable(price, canPay))
    return `<li class="offer">${head(escapeHtml(cost))}
<div class="choosing">${goodsFieldsHtml(price, isOnly, words, language)}</div></li>`;
  const state =
    left === 0
      ? `<s>${escapeHtml(cost)}</s> <em>${escapeHtml(words.soldOut)}</em>`
      : `<span>${escapeHtml(cost)}</span> <em>${escapeHtml(booking.atVenueOnly)}</em>`;
  return `<li>${head(state)}</li>`;
}

function isBookable({ left, amount, freeAmount }: GoodsPrice, canPay: boolean): boolean {
  return left !== 0 && (canPay || (costsNothing(amount) && !freeAmount));
}

/** `Fri 20 Nov 2026, 20:30`. */
function shortWhen(instant: Date, language: Language, timeZone: string): string {
  const day = momentWords(instant, language, timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return `${day.replace(',', '')}, ${timeWords(instant, language, timeZone)}`;
}
