import { pageDocument, Pattern, Picture, priceWords, SelectField, type Venue } from '#page-kit';
import type { GoodsOnSale, GoodsPrice } from '#tickets';
import { currentLanguage, dayAndTimeWords, dotted, momentWords, timeWords, type Language } from '#kernel';
import { bookingWords, GoneAmount, GoodsFields, JoiningNote, PriceHead } from '#pages';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { Choice, isBookable, rangeOf } from './goods-choice.js';
import { goodsWords } from './goods.words.js';

type GoodsEvent = GoodsOnSale['events'][number];

interface ShownGoods {
  readonly goods: readonly GoodsOnSale[];
  /** The event at which the reader collects everything, as it was asked for. Default: the one that hands out most of them. */
  readonly at?: string | undefined;
  readonly venue: Venue;
  /** Whether everything can be paid online. */
  readonly isOnline: boolean;
  /** Absolute address of the page. */
  readonly canonical: string;
}

/** The page with the goods of the venue. */
export function goodsPage({ goods, at, venue, isOnline, canonical }: ShownGoods): string {
  const tenant = currentTenant();
  const language = currentLanguage();
  const words = goodsWords[language];
  const places = placesOf(goods, isOnline);
  const chosen = (places.find(({ id }) => id === at) ?? usualPlace(places, goods))?.id ?? '';
  const header = (
    <>
      <h1>{words.title}</h1>
      <p>{goods.length === 0 ? words.none : words.lead}</p>
    </>
  );
  const main = (
    <OrderArticle back={{ path: '/', label: orderWords[language].backToAgenda }} header={header}>
      <Place events={places} at={chosen} />
      <ul class="cards goods">
        {goods.map((sold) => (
          <Product sold={sold} isOnline={isOnline} at={chosen} />
        ))}
      </ul>
      {goods.length > 0 && (
        <p>
          <a href="/cart">{bookingWords[language].cart}</a>
        </p>
      )}
    </OrderArticle>
  );
  const summary = { canonical, description: words.lead };
  const title = `${words.title} · ${tenant.name}`;
  return pageDocument({ tenant, language, title, main, venue, summary, address: '/shop', hasScript: true, sheet: 'shop' });
}

/** At which event everything is collected: the form shows the page again, and the forms below it name the event. */
function Place({ events, at }: { readonly events: readonly GoodsEvent[]; readonly at: string }): VNode | null {
  if (events.length < 2) return null;
  const words = goodsWords[currentLanguage()];
  return (
    <form class="at" method="get" action="/shop">
      <SelectField
        field={{ name: 'at', label: words.collectAll }}
        value={at}
        choices={events.map((event) => [event.id, eventName(event)])}
      />
      <button class="button other">{words.choose}</button>
    </form>
  );
}

interface ProductProps {
  readonly sold: GoodsOnSale;
  readonly isOnline: boolean;
  /** Id of the event at which the reader collects everything. */
  readonly at: string;
}

/** A product with the form that adds it to the cart. It is collected at events for which it can be paid now. */
function Product({ sold, isOnline, at }: ProductProps): VNode {
  const { productId, product, description, image, prices } = sold;
  const payable = payableEvents(sold, isOnline);
  const canPay = payable.length > 0;
  // An amount that the buyer chooses has a field of its own.
  const isChoice = prices.length > 1 && prices.every(({ freeAmount }) => !freeAmount);
  return (
    <li class="card">
      <div class="card-art">{image ? <Picture image={image} isLazy /> : <Pattern name={product} width={320} height={320} />}</div>
      <div class="card-line line">
        <h2 dir="auto" id={`n-${productId}`}>
          {product}
        </h2>
        {isChoice && <p class="number">{rangeOf(prices)}</p>}
      </div>
      {description !== null && (
        <p class="small quiet" dir="auto">
          {description}
        </p>
      )}
      <form class="booking" method="post" action="/cart/goods">
        {isChoice ? (
          <Choice productId={productId} prices={prices} canPay={canPay} />
        ) : (
          <ul class="prices">
            {prices.map((price) => (
              <Price price={price} canPay={canPay} isOnly={prices.length === 1} />
            ))}
          </ul>
        )}
        {prices.some((price) => isBookable(price, canPay)) && (
          <>
            <Collecting productId={productId} events={canPay ? payable : sold.events} at={at} />
            <p>
              <button class="button other button-wide" aria-labelledby={`b-${productId} n-${productId}`}>
                <span id={`b-${productId}`}>{bookingWords[currentLanguage()].addToCart}</span>
              </button>
            </p>
          </>
        )}
      </form>
    </li>
  );
}

/** The events for which a product can be paid now. */
const payableEvents = ({ events }: GoodsOnSale, isOnline: boolean): GoodsEvent[] =>
  events.filter(({ payAtVenue }) => isOnline || payAtVenue);

/** All events at which something is collected, the next one first. */
function placesOf(goods: readonly GoodsOnSale[], isOnline: boolean): GoodsEvent[] {
  const all = new Map(goods.flatMap((sold) => payableEvents(sold, isOnline)).map((event) => [event.id, event]));
  return [...all.values()].toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
}

/** The event that hands out most of the goods; the first of several. */
function usualPlace(places: readonly GoodsEvent[], goods: readonly GoodsOnSale[]): GoodsEvent | undefined {
  const counted = (place: GoodsEvent): number => goods.filter(({ events }) => events.some(({ id }) => id === place.id)).length;
  return places.toSorted((one, other) => counted(other) - counted(one))[0];
}

interface CollectingProps {
  readonly productId: string;
  readonly events: GoodsOnSale['events'];
  readonly at: string;
}

/** At which event the product is collected: where everything is, or else the buyer chooses. */
function Collecting({ productId, events, at }: CollectingProps): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const words = goodsWords[language];
  const only = events.find(({ id }) => id === at) ?? (events.length === 1 ? events[0] : undefined);
  if (only)
    return (
      <>
        <p class="hint">{words.collectAt(`${only.name}, ${dayAndTimeWords(only.startsAt, language, timeZone)}`)}</p>
        <input type="hidden" name="event" value={only.id} />
      </>
    );
  const choices = events.map((event) => [event.id, eventName(event)] as const);
  const field = { name: `event-${productId}`, label: words.collect };
  return <SelectField field={field} value={events[0]?.id ?? ''} choices={choices} attributes={{ name: 'event' }} />;
}

/** The time first, in short: long names are cut off on a phone. */
const eventName = ({ name, startsAt }: GoodsEvent): string =>
  dotted([shortWhen(startsAt, currentLanguage(), currentTenant().timeZone), name]);

interface PriceProps {
  readonly price: GoodsPrice;
  readonly canPay: boolean;
  /** It is the only price of its product. */
  readonly isOnly: boolean;
}

function Price({ price, canPay, isOnly }: PriceProps): VNode {
  const language = currentLanguage();
  const words = goodsWords[language];
  const { id, name, membership, left } = price;
  const cost = priceWords(price, language);
  const isSold = isBookable(price, canPay);
  return (
    <li class={isSold ? 'price' : 'price price-shut'}>
      <PriceHead
        id={`n-${id}`}
        name={name}
        notes={membership === null ? [] : [<JoiningNote name={membership} page="/shop" language={language} />]}
      >
        {isSold ? cost : <Closed cost={cost} isSoldOut={left === 0} />}
      </PriceHead>
      {isSold && <GoodsFields price={price} isOnly={isOnly} words={words} language={language} />}
    </li>
  );
}

/** The cost of what cannot be bought, and why. */
function Closed({ cost, isSoldOut }: { readonly cost: string; readonly isSoldOut: boolean }): VNode {
  const language = currentLanguage();
  return isSoldOut ? (
    <GoneAmount cost={cost} state={goodsWords[language].soldOut} />
  ) : (
    <>
      <span>{cost}</span> <em>{bookingWords[language].atVenueOnly}</em>
    </>
  );
}

/** `Fri 20 Nov 2026, 20:30`. */
function shortWhen(instant: Date, language: Language, timeZone: string): string {
  const day = momentWords(instant, language, timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return `${day.replace(',', '')}, ${timeWords(instant, language, timeZone)}`;
}
