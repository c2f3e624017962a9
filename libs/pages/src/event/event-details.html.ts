import { doorsAt, type EventDetails, type NamedThing, type StatedOffer, type WholeEvent } from '#catalogue';
import { escapeHtml, isoInZone, localeOf, timeWords, type Language } from '#kernel';
import { pageWords } from '#page-kit';

/** When the doors open, as a line of HTML; empty when it is not known. */
export function doorsHtml({ details, startsAt }: WholeEvent, language: Language, timeZone: string): string {
  if (details?.doorsMinutesBefore === undefined) return '';
  const opens = doorsAt(startsAt, details.doorsMinutesBefore);
  const time = `<time datetime="${isoInZone(opens, timeZone)}">${escapeHtml(timeWords(opens, language, timeZone))}</time>`;
  return `<p>${escapeHtml(pageWords[language].doors)}: ${time}</p>`;
}

/** What is known of an event beside time and place, as lines of HTML; empty when nothing is. */
export function detailsHtml(details: EventDetails, language: Language): string {
  const words = pageWords[language];
  const { performers = [], organizer, series, languages = [], ageRange, isFree, onlineUrl } = details;
  const lines: readonly [label: string, html: string][] = [
    [words.performers, performers.map(namedHtml).join(', ')],
    [words.series, series ? namedHtml(series) : ''],
    [words.organizer, organizer ? namedHtml(organizer) : ''],
    [words.eventLanguage, escapeHtml(languages.map((code) => languageName(code, language)).join(', '))],
    [words.ageRange, escapeHtml(ageRange ?? '')],
    [words.admission, isFree ? escapeHtml(words.free) : ''],
    [words.online, onlineUrl === undefined ? '' : linkHtml(onlineUrl, new URL(onlineUrl).host)],
  ];
  return lines
    .filter(([, html]) => html)
    .map(([label, html]) => `<p dir="auto">${escapeHtml(label)}: ${html}</p>`)
    .join('\n');
}

/** Prices that others ask, as a list. */
export function statedOffersHtml(offers: readonly StatedOffer[], language: Language): string {
  const items = offers.map(
    (offer) => `<li>${[offer.name && escapeHtml(offer.name), priceHtml(offer, language)].filter(Boolean).join(': ')}</li>`,
  );
  return `<ul>${items.filter((item) => item !== '<li></li>').join('')}</ul>`;
}

function priceHtml({ price, highPrice, currency, availability, url }: StatedOffer, language: Language): string {
  const amounts = [price, highPrice].flatMap((amount) => (amount === undefined ? [] : [amountWords(amount, currency, language)]));
  const state = /(^|\/)SoldOut$/i.test(availability ?? '') ? pageWords[language].soldOut : '';
  const words = [amounts.join(' – '), state].filter(Boolean).join(' · ');
  return url === undefined ? escapeHtml(words) : linkHtml(url, words || new URL(url).host);
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

const namedHtml = ({ name, url }: NamedThing): string => (url === undefined ? escapeHtml(name) : linkHtml(url, name));

const linkHtml = (url: string, words: string): string => `<a href="${escapeHtml(url)}" rel="external nofollow">${escapeHtml(words)}</a>`;
