import { imagePath } from '#catalogue';
import { houseTitle, pageWords, type PageWords } from './pages.words.js';
import { currentLanguage } from '#kernel';
import { currentTenant } from '#tenancy';
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
  const links = venueLinks(venue, words);
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

/** How to reach a venue, for who needs help: by mail or telephone, else at its website or where it is; nothing without all of them. */
export function VenueHelp({ venue, lead }: { readonly venue: Venue | undefined; readonly lead: string }): VNode | null {
  const isGiven = (way: ComponentChildren): boolean => way !== undefined && way !== null && way !== '';
  const direct = [mailLink(venue?.email), phoneLink(venue?.phone)].filter(isGiven);
  const town = [venue?.postalCode, venue?.city].filter(Boolean).join(' ');
  const house = venue?.hasHouse ? <a href="/house">{houseTitle(currentTenant(), currentLanguage())}</a> : '';
  const others = [websiteLink(venue?.website), [venue?.streetAddress, town].filter(Boolean).join(', '), house].filter(isGiven);
  const ways = direct.length > 0 ? direct : others;
  return ways.length === 0 ? null : (
    <p class="small">
      {lead} <Dotted facts={ways} />
    </p>
  );
}

/** Decorative beside the name, so its alternative text is empty. */
export function Logo({ imageId }: { readonly imageId: string }): VNode {
  return <img class="logo" src={imagePath(imageId, 'thumbnail')} height={48} alt="" />;
}

/** A telephone number as a link. */
export function phoneLink(phone: string | null | undefined): ComponentChildren {
  const digits = phone?.replace(/[^\d+]/g, '') ?? '';
  return digits === '' ? phone : <a href={`tel:${digits}`}>{phone}</a>;
}

/** An e-mail address as a link; empty for what is none. */
export function mailLink(email: string | null | undefined): ComponentChildren {
  return email && /^[^\s@]+@[^\s@]+$/.test(email) ? <a href={`mailto:${encodeURI(email)}`}>{email}</a> : '';
}

/** The address of a website; only http and https URLs become links. */
export function websiteLink(website: string | null | undefined): ComponentChildren {
  return isWebPage(website) ? <a href={website}>{website.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</a> : website;
}

/** Whether a text is the URL of a web page. */
export const isWebPage = (address: string | null | undefined): address is string =>
  !!address && /^https?:\/\//i.test(address) && URL.canParse(address);

/** The venue's links to other sites. */
export function venueLinks(venue: Venue | undefined, words: PageWords): { readonly text: string; readonly address: string }[] {
  const named = [
    ['Twitter / X', venue?.twitter],
    ['Facebook', venue?.facebook],
    ['Instagram', venue?.instagram],
    [words.menu, venue?.restaurantMenu],
    [words.legalDocuments, venue?.legalDocuments],
  ] as const;
  return named.flatMap(([text, address]) => (isWebPage(address) ? [{ text, address }] : []));
}
