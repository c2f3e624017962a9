import { escapeHtml, forEachLanguage, localeOf, type Language } from '#kernel';
import { pageWords } from './pages.words.js';
import type { PublicAddress } from '../public-events/public-events.service.js';

const countryNames = forEachLanguage((language) => new Intl.DisplayNames(localeOf(language), { type: 'region' }));

/** An address on one line of text, without the country; empty when there is none. */
export function addressLine(address: PublicAddress | null): string {
  return address ? linesOf(address).join(', ') : '';
}

/** The same with the country, for map programs and calendars. */
export function worldAddressLine(address: PublicAddress, language: Language): string {
  return [...linesOf(address), ...countryLine(address, language)].join(', ');
}

/**
 * An address as HTML lines, with a link to a map when its coordinates are known.
 * @param homeCountry country of the venue; addresses there are shown without the country
 */
export function addressHtml(address: PublicAddress, homeCountry: string | null | undefined, language: Language): string {
  const lines = linesOf(address).map((line, index) =>
    index === 0 && address.name ? `<strong>${escapeHtml(line)}</strong>` : escapeHtml(line),
  );
  if (homeCountry !== address.addressCountry) lines.push(...countryLine(address, language).map(escapeHtml));
  return `<address dir="auto">${lines.join('<br>\n')}</address>${mapLink(address, language)}`;
}

function linesOf({ name, streetAddress, postalCode, addressLocality }: PublicAddress): string[] {
  const town = [postalCode, addressLocality].filter(Boolean).join(' ');
  // A place of which only the town is known has the town as its name.
  return [...new Set([name, streetAddress, town])].filter((line): line is string => !!line?.trim());
}

function countryLine({ addressCountry: code }: PublicAddress, language: Language): string[] {
  return code === null ? [] : [countryNames[language].of(code) ?? code];
}

function mapLink({ latitude, longitude }: PublicAddress, language: Language): string {
  if (latitude === null || longitude === null) return '';
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return `\n<p><a href="${escapeHtml(href)}" rel="noopener">${escapeHtml(pageWords[language].map)}</a></p>`;
}
