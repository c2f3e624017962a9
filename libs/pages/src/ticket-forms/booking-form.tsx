import { currency, grouped, type Language } from '#kernel';
import { amountWords, Fault, FaultSummary, pageWords, priceRangeWords, priceWords } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { codeWords } from '../codes/code.words.js';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { isBookable, type BookingForm, type BookingOffer } from './booking-offer.js';
import { bookingWords } from './booking.words.js';
import { Card } from './card.js';
import { MemberNote } from './joining-note.js';
import { GoneAmount, PriceHead } from './price-head.js';
import { closingWords, isGone, shutWords } from './sale-words.js';
import { passWords } from './pass-words.js';
import { PriceFields } from './ticket-fields.js';

/** Names of the words on the first button. */
const buttons = { book: 'book', change: 'change', cart: 'addToCart' } as const;

interface TicketFormProps {
  readonly offer: BookingOffer;
  readonly form: BookingForm;
  readonly language: Language;
}

/** The form: prices with a number field each, options, and a button. Works without scripts. */
export function TicketForm({
  title,
  lead,
  dates,
  ...rest
}: TicketFormProps & { readonly title: string; readonly lead?: string | undefined; readonly dates?: VNode | undefined }): VNode {
  const { offer, form, language } = rest;
  const words = bookingWords[language];
  const { faults = new Map<string, string>() } = form;
  const { maxPerUser } = offer;
  const isOnly = offer.prices.filter((price) => isBookable(price, offer.canPay)).length === 1;
  const products = [...grouped(offer.prices, ({ product }) => product)];
  const isGoods = ([, prices]: (typeof products)[number]): boolean => prices.every(({ admits }) => !admits);
  const [goods, tickets] = [products.filter(isGoods), products.filter((one) => !isGoods(one))];
  const lines = { ...rest, isOnly };
  return (
    <form class="booking" method="post" action={form.action} novalidate>
      {form.event !== undefined && <input type="hidden" name="event" value={form.event} />}
      {form.code !== undefined && <input type="hidden" name="code" value={form.code} />}
      <FaultSummary title={words.faults} faults={faults} />
      <Card title={title} note={maxPerUser === null ? undefined : words.mostPerPerson(maxPerUser)} dates={dates}>
        {lead !== undefined && <p class="ticket-note">{lead}</p>}
        <Fault name="tickets" fault={faults.get('tickets')} />
        <Products products={tickets} {...lines} />
        <Goods products={goods} isFolded={tickets.length > 0} {...lines} />
        <Options offer={offer} form={form} language={language} />
        <p class="small quiet ticket-note">{words.next}</p>
      </Card>
      <Stub offer={offer} form={form} language={language} />
      {/* Behind the other button, which Enter presses in a field. */}
      {form.cart !== undefined && <CartWays cart={form.cart} language={language} />}
    </form>
  );
}

interface ProductsProps extends TicketFormProps {
  /** Prices by the name of their product. */
  readonly products: readonly (readonly [string, readonly PublicPrice[]])[];
  /** There is one price that can be chosen. */
  readonly isOnly: boolean;
}

function Products({ products, ...lines }: ProductsProps): VNode {
  return (
    <>
      {products.map(([product, prices]) => (
        <>
          {products.length > 1 && <h3 dir="auto">{product}</h3>}
          <ul class="prices">
            {prices.map((price) => (
              <PriceLine price={price} {...lines} />
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

/** Goods are folded away after tickets, unless some were chosen or refused before. */
function Goods({ isFolded, ...goods }: ProductsProps & { readonly isFolded: boolean }): VNode | null {
  const { products, form, language } = goods;
  if (products.length === 0) return null;
  const list = (
    <>
      <Collecting language={language} />
      <Products {...goods} />
    </>
  );
  if (!isFolded) return list;
  const isTouched = products.some(([, prices]) =>
    prices.some(({ id }) => Number(form.typed?.quantities.get(id) ?? 0) > 0 || form.faults?.has(`q-${id}`) || form.faults?.has(`a-${id}`)),
  );
  return (
    <details class="fold" open={isTouched}>
      <summary class="line">{bookingWords[language].addGoods}</summary>
      {list}
    </details>
  );
}

/**
 * The end of the card: what it costs, and the next step. On phones it stays at the bottom of the page, and leads to the prices until
 * something is chosen. A script fills in the sum.
 */
function Stub({ offer, form, language }: TicketFormProps): VNode {
  const words = bookingWords[language];
  const button = words[buttons[form.kind]];
  const [one, many] = offer.isVolunteering ? [words.onePlace, words.manyPlaces] : [words.oneTicket, words.manyTickets];
  return (
    <div class="stub">
      <div class="total line">
        <output data-currency={currency} data-one={one} data-many={many} data-free={pageWords[language].free}>
          <small hidden /> <b class="display">{lowestWords(offer, language)}</b>
        </output>
        <a class="button choose" href="#tickets">
          {offer.isVolunteering || !offer.prices.some(({ admits }) => admits) ? words.choose : words.chooseTickets}
        </a>
        <button class="button go">{button}</button>
      </div>
    </div>
  );
}

/** The lowest price that everybody can have, as in lists: goods, and prices for members, count only when there are no others. */
function lowestWords(offer: BookingOffer, language: Language): string {
  const open = offer.prices.filter((price) => isBookable(price, offer.canPay));
  const tickets = preferred(open, ({ admits }) => admits);
  const single = preferred(tickets, ({ pass }) => pass === null);
  const prices = preferred(single, ({ membership }) => membership === null).toSorted(byAmount);
  const [lowest, highest] = [prices[0], prices.at(-1)];
  if (!lowest || !highest) return '';
  const range = { lowest: lowest.amount, highest: highest.amount, freeAmount: prices.some(({ freeAmount }) => freeAmount) };
  return priceRangeWords(range, language);
}

/** Those that fulfil a condition, or all when none does. */
const preferred = (prices: readonly PublicPrice[], fulfils: (price: PublicPrice) => boolean): readonly PublicPrice[] =>
  prices.some(fulfils) ? prices.filter(fulfils) : prices;

const byAmount = (one: PublicPrice, other: PublicPrice): number => Number(one.amount) - Number(other.amount);

/** Above the goods of an event. The shop is no page for frames on other sites. */
function Collecting({ language }: { readonly language: Language }): VNode {
  const words = bookingWords[language];
  return (
    <p class="small quiet">
      {words.collectHere}{' '}
      <a href="/shop" target="_top">
        {words.wholeShop}
      </a>
    </p>
  );
}

/** The cart is no page for frames on other sites: there it opens in the whole window. */
function CartWays({ cart, language }: { readonly cart: string; readonly language: Language }): VNode {
  const words = bookingWords[language];
  return (
    <p class="ways cart-ways go">
      <button class="button other button-small" formaction={cart} formtarget="_top">
        {words.addToCart}
      </button>
      <a href="/cart" target="_top">
        {words.cart}
      </a>
    </p>
  );
}

interface PriceLineProps extends TicketFormProps {
  readonly price: PublicPrice;
  /** It is the only price that can be chosen. */
  readonly isOnly: boolean;
}

function PriceLine({ price, offer, form, isOnly, language }: PriceLineProps): VNode {
  const { id, name, admits } = price;
  const words = bookingWords[language];
  const shut = shutWords(price, language, offer.timeZone);
  const cost = priceWords(price, language);
  const head = (shown: ComponentChildren): VNode => (
    <PriceHead id={`n-${id}`} name={name} notes={notesOf(price, shut, offer, language)}>
      {shown}
    </PriceHead>
  );
  if (shut === undefined && isBookable(price, offer.canPay)) {
    const names = admits ? words : { ...words, number: words.quantity };
    return (
      <li class="price">
        {head(cost)}
        <PriceFields
          price={price}
          maxPerUser={offer.maxPerUser}
          sent={form}
          isOnly={isOnly}
          isGoods={!admits}
          words={names}
          language={language}
        />
      </li>
    );
  }
  // The link of a fault leads to the line when it has no field any more.
  return (
    <li class="price price-shut" {...(form.faults?.has(`q-${id}`) && { id: `q-${id}`, tabindex: -1 })}>
      {head(shutAmount(price, cost, shut, language))}
    </li>
  );
}

/** What a price costs that cannot be chosen. @param shut why; undefined: nobody can pay it here */
function shutAmount(price: PublicPrice, cost: string, shut: string | undefined, language: Language): ComponentChildren {
  if (shut !== undefined) return isGone(price) ? <GoneAmount cost={cost} state={shut} /> : cost;
  return (
    <>
      <span>{cost}</span> <em>{bookingWords[language].atVenueOnly}</em>
    </>
  );
}

/** Beside the name of a price: whom it is for, how many are left, when its sale opens or ends. */
function notesOf(price: PublicPrice, shut: string | undefined, offer: BookingOffer, language: Language): VNode[] {
  const { left, membership, pass } = price;
  const closing = closingWords(price, language, offer.timeZone);
  return [
    ...(price.full === undefined ? [] : [<small>{codeWords[language].instead(amountWords(price.full, language))}</small>]),
    ...(pass === null ? [] : [<small>{passWords(pass, language)}</small>]),
    ...(membership === null
      ? []
      : [<MemberNote price={price} name={membership} isOpen={shut === undefined} offer={offer} language={language} />]),
    ...(left !== null && left > 0 && left <= offer.fewLeft && shut === undefined
      ? [<small>{bookingWords[language].left(left)}</small>]
      : []),
    ...(closing === undefined ? [] : [<small>{closing}</small>]),
    ...(shut !== undefined && !isGone(price) ? [<small>{shut}</small>] : []),
  ];
}

function Options({ offer: { options }, form: { typed, faults }, language }: TicketFormProps): VNode | null {
  if (options.length === 0) return null;
  return (
    <fieldset class="options" id="options" tabindex={-1}>
      <legend>{bookingWords[language].options}</legend>
      <Fault name="options" fault={faults?.get('options')} />
      {options.map(({ id, name, kind }) => (
        <div class="choice">
          <input type={kind} id={`o-${id}`} name="option" value={id} checked={typed?.options.has(id) ?? false} />
          <label for={`o-${id}`}>
            <bdi>{name}</bdi>
          </label>
        </div>
      ))}
    </fieldset>
  );
}
