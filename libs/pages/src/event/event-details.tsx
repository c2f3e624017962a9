import type { EventDetails, NamedThing, StatedOffer } from '#catalogue';
import { localeOf, type Language } from '#kernel';
import { pageWords } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';

/** What is known of an event beside time and place; nothing when nothing is. */
export function GoodToKnow({ details, language }: { readonly details: EventDetails; readonly language: Language }): VNode | null {
  const words = pageWords[language];
  const { performers = [], organizer, series, languages = [], ageRange, isFree, onlineUrl } = details;
  const facts: readonly (readonly [label: string, fact: ComponentChildren])[] = [
    [words.performers, performers.length > 0 && <NamedList things={performers} />],
    [words.series, series && <Named thing={series} />],
    [words.organizer, organizer && <Named thing={organizer} />],
    [words.eventLanguage, languages.map((code) => languageName(code, language)).join(', ')],
    [words.ageRange, ageRange],
    [words.admission, isFree && words.free],
    [words.online, onlineUrl !== undefined && <Elsewhere url={onlineUrl}>{new URL(onlineUrl).host}</Elsewhere>],
  ];
  const known = facts.filter(([, fact]) => fact);
  if (known.length === 0) return null;
  return (
    <>
      <h2>{words.goodToKnow}</h2>
      <dl class="facts">
        {known.map(([label, fact]) => (
          <div>
            <dt>{label}</dt>
            <dd dir="auto">{fact}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Prices that others ask, as a list. */
export function StatedOffers({ offers, language }: { readonly offers: readonly StatedOffer[]; readonly language: Language }): VNode {
  return (
    <ul>
      {offers.map((offer) => (
        <OfferLine offer={offer} language={language} />
      ))}
    </ul>
  );
}

/** Nothing for an offer that says nothing. */
function OfferLine({ offer, language }: { readonly offer: StatedOffer; readonly language: Language }): VNode | null {
  const { name, url } = offer;
  const words = offerWords(offer, language);
  const price = url === undefined ? words : <Elsewhere url={url}>{words || new URL(url).host}</Elsewhere>;
  if (!name && !price) return null;
  return (
    <li>
      {name}
      {name && price && ': '}
      {price}
    </li>
  );
}

function offerWords({ price, highPrice, currency, availability }: StatedOffer, language: Language): string {
  const amounts = [price, highPrice].flatMap((amount) => (amount === undefined ? [] : [amountWords(amount, currency, language)]));
  const state = /(^|\/)SoldOut$/i.test(availability ?? '') ? pageWords[language].soldOut : '';
  return [amounts.join(' – '), state].filter(Boolean).join(' · ');
}

/** An amount in its currency; texts stay as they are. */
function amountWords(amount: string, currency = '', language: Language): string {
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(amount)) return [amount, currency].filter(Boolean).join(' ');
  if (Number(amount) === 0) return pageWords[language].free;
  if (!/^[A-Z]{3}$/i.test(currency)) return [amount, currency].filter(Boolean).join(' ');
  return new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(Number(amount));
}

function languageName(code: string, language: Language): string {
  if (!/^[a-z]{2,3}(-[a-z]{2})?$/i.test(code)) return code;
  return new Intl.DisplayNames(localeOf(language), { type: 'language' }).of(code) ?? code;
}

function NamedList({ things }: { readonly things: readonly NamedThing[] }): VNode {
  return (
    <>
      {things.map((thing, index) => (
        <>
          {index > 0 && ', '}
          <Named thing={thing} />
        </>
      ))}
    </>
  );
}

function Named({ thing: { name, url } }: { readonly thing: NamedThing }): VNode {
  return url === undefined ? <>{name}</> : <Elsewhere url={url}>{name}</Elsewhere>;
}

/** A link to a page of others. */
function Elsewhere({ url, children }: { readonly url: string; readonly children: string }): VNode {
  return (
    <a href={url} rel="external nofollow">
      {children}
    </a>
  );
}
