import { imagePath } from '#catalogue';
import { pageWords, type PageWords } from './pages.words.js';
import { currentLanguage } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import { Dotted, Stacked } from '#http';
import type { Venue } from './venue.js';

/** Name, address, links and map of a venue; nothing when it has only a name. */
export function VenueContact({
  venue,
  name,
  heading,
}: {
  readonly venue: Venue | undefined;
  readonly name: string;
  readonly heading: string;
}) {
  const words = pageWords[currentLanguage()];
  const town = [venue?.postalCode, venue?.city].filter(Boolean).join(' ');
  const lines = [venue?.streetAddress, town, phoneLink(venue?.phone), mailLink(venue?.email), websiteLink(venue?.website)].filter(
    (line) => line !== undefined && line !== null && line !== '',
  );
  const links = linksOf(venue, words);
  if (lines.length === 0 && links.length === 0) return null;
  return (
    <section aria-label={heading}>
      <h2 dir="auto">{name}</h2>
      <address dir="auto">
        <Stacked>{lines}</Stacked>
      </address>
      {links.length > 0 && (
        <ul class="links">
          {links.map(({ text, address }) => (
            <li>
              <a href={address} rel="noopener">
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
      {venue?.mapImageId && (
        <p>
          <a href={imagePath(venue.mapImageId, 'fhd')}>
            <img class="map" src={imagePath(venue.mapImageId, 'med')} loading="lazy" alt={words.accessMap} />
          </a>
        </p>
      )}
    </section>
  );
}

/** The e-mail address and the telephone of a venue, for who needs help; nothing without one. */
export function VenueHelp({ venue, lead }: { readonly venue: Venue | undefined; readonly lead: string }): VNode | null {
  const ways = [mailLink(venue?.email), phoneLink(venue?.phone)].filter((way) => way !== undefined && way !== null && way !== '');
  return ways.length === 0 ? null : (
    <p class="small">
      {lead} <Dotted facts={ways} />
    </p>
  );
}

/** Decorative beside the name, so its alternative text is empty. */
export function Logo({ venue }: { readonly venue: Venue | undefined }): VNode | null {
  return venue?.logoImageId ? <img class="logo" src={imagePath(venue.logoImageId, 'thumbnail')} height={48} alt="" /> : null;
}

function phoneLink(phone: string | null | undefined): ComponentChildren {
  const digits = phone?.replace(/[^\d+]/g, '') ?? '';
  return digits === '' ? phone : <a href={`tel:${digits}`}>{phone}</a>;
}

function mailLink(email: string | null | undefined): ComponentChildren {
  return email && /^[^\s@]+@[^\s@]+$/.test(email) ? <a href={`mailto:${encodeURI(email)}`}>{email}</a> : '';
}

/** Only http and https URLs become links. */
function websiteLink(website: string | null | undefined): ComponentChildren {
  return isWeb(website) ? <a href={website}>{website.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</a> : website;
}

const isWeb = (address: string | null | undefined): address is string =>
  !!address && /^https?:\/\//i.test(address) && URL.canParse(address);

/** The venue's links to other sites. */
function linksOf(venue: Venue | undefined, words: PageWords): { readonly text: string; readonly address: string }[] {
  const named = [
    ['Twitter / X', venue?.twitter],
    ['Facebook', venue?.facebook],
    ['Instagram', venue?.instagram],
    [words.menu, venue?.restaurantMenu],
    [words.legalDocuments, venue?.legalDocuments],
  ] as const;
  return named.flatMap(([text, address]) => (isWeb(address) ? [{ text, address }] : []));
}
