import { pageDocument, Pattern, priceWords, SelectField, type Venue } from '#page-kit';
import type { GoodsOnSale, GoodsPrice } from '#tickets';
import { costsNothing, currentLanguage, dayAndTimeWords, dotted, momentWords, timeWords, type Language } from '#kernel';
import { bookingWords, GoneAmount, GoodsFields, JoiningNote, PriceHead } from '#pages';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { goodsWords } from './goods.words.js';

interface ShownGoods {
  readonly goods: readonly GoodsOnSale[];
  readonly venue: Venue;
  /** Whether everything can be paid online. */
  readonly isOnline: boolean;
  /** Absolute address of the page. */
  readonly canonical: string;
}

/** The page with the goods of the venue. */
export function goodsPage({ goods, venue, isOnline, canonical }: ShownGoods): string {
  const tenant = currentTenant();
  const language = currentLanguage();
  const words = goodsWords[language];
  const header = (
    <>
      <h1>{words.title}</h1>
      <p>{goods.length === 0 ? words.none : words.lead}</p>
    </>
  );
  const main = (
    <OrderArticle back={{ path: '/', label: orderWords[language].backToAgenda }} header={header}>
      <ul class="cards">
        {goods.map((sold) => (
          <Product sold={sold} isOnline={isOnline} />
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

/** A product with the form that adds it to the cart. It is collected at events for which it can be paid now. */
function Product({ sold, isOnline }: { readonly sold: GoodsOnSale; readonly isOnline: boolean }): VNode {
  const { productId, product, description, prices } = sold;
  const payable = sold.events.filter(({ payAtVenue }) => isOnline || payAtVenue);
  const canPay = payable.length > 0;
  return (
    <li class="card">
      <div class="card-art">
        <Pattern name={product} />
      </div>
      <h2 dir="auto" id={`p-${productId}`}>
        {product}
      </h2>
      {description !== null && (
        <p class="small quiet" dir="auto">
          {description}
        </p>
      )}
      <form class="booking" method="post" action="/cart/goods">
        <ul class="prices">
          {prices.map((price) => (
            <Price price={price} canPay={canPay} isOnly={prices.length === 1} />
          ))}
        </ul>
        {prices.some((price) => isBookable(price, canPay)) && (
          <>
            <Collecting productId={productId} events={canPay ? payable : sold.events} />
            <p>
              <button class="button other button-wide" aria-labelledby={`b-${productId} p-${productId}`}>
                <span id={`b-${productId}`}>{bookingWords[currentLanguage()].addToCart}</span>
              </button>
            </p>
          </>
        )}
      </form>
    </li>
  );
}

interface CollectingProps {
  readonly productId: string;
  readonly events: GoodsOnSale['events'];
}

/** At which event the product is collected; the buyer chooses when there are several. */
function Collecting({ productId, events }: CollectingProps): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const words = goodsWords[language];
  const [first] = events as [GoodsOnSale['events'][number]];
  if (events.length === 1)
    return (
      <>
        <p class="hint">{words.collectAt(`${first.name}, ${dayAndTimeWords(first.startsAt, language, timeZone)}`)}</p>
        <input type="hidden" name="event" value={first.id} />
      </>
    );
  // The time first, in short: long names are cut off on a phone.
  const choices = events.map((event) => [event.id, dotted([shortWhen(event.startsAt, language, timeZone), event.name])] as const);
  const field = { name: `event-${productId}`, label: words.collect };
  return <SelectField field={field} value={first.id} choices={choices} attributes={{ name: 'event' }} />;
}

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

function isBookable({ left, amount, freeAmount }: GoodsPrice, canPay: boolean): boolean {
  return left !== 0 && (canPay || (costsNothing(amount) && !freeAmount));
}

/** `Fri 20 Nov 2026, 20:30`. */
function shortWhen(instant: Date, language: Language, timeZone: string): string {
  const day = momentWords(instant, language, timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return `${day.replace(',', '')}, ${timeWords(instant, language, timeZone)}`;
}
