import { forEachLanguage, localeOf, type Language } from '#kernel';
import type { VNode } from 'preact';
import { Stacked } from '#http';
import { pageWords } from './pages.words.js';
import { mapAddress, type PlaceOnMap, type PublicAddress } from '#catalogue';

const countryNames = forEachLanguage((language) => new Intl.DisplayNames(localeOf(language), { type: 'region' }));

/** An address on one line of text, without the country; empty when there is none. */
export function addressLine(address: PublicAddress | null): string {
  return address ? linesOf(address).join(', ') : '';
}

/** The hall and the town, for a line that leads to the whole address. */
export function placeLine({ name, streetAddress, addressLocality }: PublicAddress): string {
  return [...new Set([name ?? streetAddress, addressLocality])].filter((part) => !!part?.trim()).join(', ');
}

/** The same with the country, for map programs and calendars. */
export function worldAddressLine(address: PublicAddress, language: Language): string {
  return [...linesOf(address), ...countryLine(address, language)].join(', ');
}

interface AddressProps {
  readonly address: PublicAddress;
  /** Country of the venue; addresses there are shown without the country. */
  readonly homeCountry: string | null | undefined;
  readonly language: Language;
}

/** An address in lines, with a link to a map. */
export function Address(props: AddressProps): VNode {
  return (
    <>
      <address dir="auto">
        <AddressLines {...props} />
      </address>
      <p>
        <MapLink address={props.address} language={props.language} />
      </p>
    </>
  );
}

/** The lines of an address; its name is strong. */
export function AddressLines({ address, homeCountry, language }: AddressProps): VNode {
  const lines = linesOf(address);
  const country = homeCountry === address.addressCountry ? [] : countryLine(address, language);
  return <Stacked>{[...lines.map((line, index) => (index === 0 && address.name ? <strong>{line}</strong> : line)), ...country]}</Stacked>;
}

function linesOf({ name, streetAddress, postalCode, addressLocality }: PublicAddress): string[] {
  const town = [postalCode, addressLocality].filter(Boolean).join(' ');
  // A place of which only the town is known has the town as its name.
  return [...new Set([name, streetAddress, town])].filter((line): line is string => !!line?.trim());
}

function countryLine({ addressCountry: code }: PublicAddress, language: Language): string[] {
  return code === null ? [] : [countryNames[language].of(code) ?? code];
}

interface MapLinkProps {
  readonly address: PlaceOnMap;
  readonly language: Language;
  readonly className?: string;
}

/** The link to a map that shows a place; nothing when nothing is known of it. */
export function MapLink({ address, language, className }: MapLinkProps): VNode | null {
  const href = mapAddress(address);
  if (href === undefined) return null;
  return (
    <a class={className} href={href} rel="noopener">
      {pageWords[language].map}
    </a>
  );
}
