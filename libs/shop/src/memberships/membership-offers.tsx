import { Dotted } from '#http';
import { isForCart, isFreeOffer, type MemberBenefit, type MembershipOffer } from '#memberships';
import { grouped, type Language, toCents } from '#kernel';
import { amountWords, Picture } from '#page-kit';
import { bookingWords, PriceHead } from '#pages';
import type { VNode } from 'preact';
import { membershipWords } from './membership.words.js';
import { closedWords, costWords, periodWords, untilWords } from './offer-words.js';

/** How the offers are sold. */
interface Selling {
  /** Whether something can be paid on the pages. */
  readonly canPay: boolean;
  /** Whether there are events whose tickets can be in the same cart. */
  readonly hasCart: boolean;
  /** Typed or printed, for the forms of the offers; empty: none. */
  readonly code: string;
}

interface OffersProps {
  readonly offers: readonly MembershipOffer[];
  readonly benefits: readonly MemberBenefit[];
  readonly selling: Selling;
  readonly language: Language;
}

/** The offers by product, each with a link to its form. */
export function MembershipOffers({ offers, benefits, selling, language }: OffersProps): VNode {
  if (offers.length === 0) return <p>{membershipWords[language].none}</p>;
  return (
    <>
      {[...grouped(offers, ({ productId }) => productId).values()].map((prices) => {
        const [{ productId, product, description, image }] = prices as [MembershipOffer];
        return (
          <section class="ticket ticket-whole">
            {image && (
              <div class="card-art">
                <Picture image={image} isLazy />
              </div>
            )}
            <h2 dir="auto">{product}</h2>
            {description !== null && <p dir="auto">{description}</p>}
            <Benefits benefits={benefits.filter(({ membershipId }) => membershipId === productId)} language={language} />
            <ul class="prices">
              {prices.map((offer) => (
                <Offer offer={offer} selling={selling} language={language} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

/** What one gets: the prices for members of coming events; nothing without any. */
function Benefits({ benefits, language }: Pick<OffersProps, 'benefits' | 'language'>): VNode | null {
  if (benefits.length === 0) return null;
  const words = membershipWords[language];
  return (
    <ul class="leaders number">
      {benefits.map(({ product, amount, full }) => {
        const cost = amountWords(amount, language);
        const isLess = full !== null && toCents(full) > toCents(amount);
        return (
          <li>
            <span>
              <bdi>{product}</bdi>
            </span>
            <span>{isLess ? words.insteadOf(cost, amountWords(full, language)) : cost}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface OfferProps extends Pick<OffersProps, 'selling' | 'language'> {
  readonly offer: MembershipOffer;
}

function Offer({ offer, selling: { canPay, hasCart, code }, language }: OfferProps): VNode {
  const query = code.trim() === '' ? '' : `?code=${encodeURIComponent(code)}`;
  const words = membershipWords[language];
  const { priceId, name, required } = offer;
  const until = untilWords(offer, language);
  const notes = [
    periodWords(offer, language),
    ...(required === null ? [] : [words.needs(required)]),
    ...(until === undefined ? [] : [until]),
  ];
  const closed = closedWords(offer, canPay, language);
  const isSold = hasCart && canPay && closed === undefined;
  const alone = offer.freeAmount ? words.aloneChosen : isFreeOffer(offer) ? words.aloneFree : undefined;
  return (
    <li class="price price-shut">
      <PriceHead
        id={`n-${priceId}`}
        name={name}
        notes={[
          <small>
            <Dotted facts={notes} />
          </small>,
        ]}
      >
        {costWords(offer, language)}
      </PriceHead>
      <div class="ways">
        {closed === undefined ? (
          <a class="button" href={`/memberships/${priceId}${query}`} aria-labelledby={`j-${priceId} n-${priceId}`}>
            <span id={`j-${priceId}`}>{words.join}</span>
          </a>
        ) : (
          <em class="stamp stamp-quiet">{closed}</em>
        )}
        {isSold && isForCart(offer) && <AddForm priceId={priceId} language={language} />}
        {isSold && alone !== undefined && <small>{alone}</small>}
      </div>
    </li>
  );
}

/** The button that puts an offer into the cart. */
function AddForm({ priceId, language }: { readonly priceId: string; readonly language: Language }): VNode {
  return (
    <form class="order" method="post" action={`/cart/membership/${priceId}`}>
      <button class="button other" aria-labelledby={`c-${priceId} n-${priceId}`}>
        <span id={`c-${priceId}`}>{bookingWords[language].addToCart}</span>
      </button>
    </form>
  );
}
