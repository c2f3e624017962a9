import { grouped, type Language } from '#kernel';
import { pageWords, priceWords } from '#page-kit';
import type { VNode } from 'preact';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { GoneAmount, PriceHead } from '../ticket-forms/price-head.js';
import { passWords } from '../ticket-forms/pass-words.js';
import { isGone, shutWords } from '../ticket-forms/sale-words.js';

interface PricesProps {
  readonly prices: readonly PublicPrice[];
  readonly language: Language;
  readonly timeZone: string;
}

/** Prices by product, where nothing can be booked. */
export function Prices({ prices, language, timeZone }: PricesProps): VNode {
  const products = [...grouped(prices, ({ product }) => product)];
  return (
    <>
      {products.map(([product, members]) => (
        <>
          {products.length > 1 && <h3 dir="auto">{product}</h3>}
          <ul class="prices">
            {members.map((price) => (
              <PriceLine price={price} language={language} timeZone={timeZone} />
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

function PriceLine({ price, language, timeZone }: Omit<PricesProps, 'prices'> & { readonly price: PublicPrice }): VNode {
  const { name, membership, pass } = price;
  const cost = priceWords(price, language);
  const shut = shutWords(price, language, timeZone);
  const notes = [
    ...(pass === null ? [] : [<small>{passWords(pass, language)}</small>]),
    ...(membership === null ? [] : [<small>({pageWords[language].membersOnly})</small>]),
    ...(shut !== undefined && !isGone(price) ? [<small>{shut}</small>] : []),
  ];
  return (
    <li class="price price-shut">
      <PriceHead name={name} notes={notes}>
        {shut !== undefined && isGone(price) ? <GoneAmount cost={cost} state={shut} /> : cost}
      </PriceHead>
    </li>
  );
}
