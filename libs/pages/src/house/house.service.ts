import { Inject, Injectable } from '@nestjs/common';
import { type GalleryImage, gallerySql, type Image, type PostalAddress, type PublicAddress } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import type { Venue } from '#page-kit';
import type { PlaceProfile } from '#places';
import { type PreparedStatement, TenantDb } from '#tenancy';
import { venueSql } from '../public-events/public-event-statements.js';

/** What the page of the house shows beside the public profile. */
export interface House extends Pick<PlaceProfile, 'longDescription' | 'openingHours' | 'gettingHere' | 'accessibility' | 'accessContact'> {
  readonly venue: Venue;
  readonly image: Pick<Image, 'id' | 'kind' | 'width' | 'height'> | null;
  readonly gallery: readonly GalleryImage[];
  /** The main address of events. */
  readonly main: Pick<PostalAddress, keyof PublicAddress> | null;
}

/** Reads the page of the house of the current tenant. */
@Injectable()
export class HouseService {
  private readonly statement: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = {
      name: 'pages-house',
      text: `select ${venueSql(settings)} as venue, c.long_description as "longDescription", c.opening_hours as "openingHours",
  c.getting_here as "gettingHere", c.accessibility, ${gallerySql()} as gallery, c.access_contact as "accessContact",
  (select json_build_object('id', i.id, 'kind', i.kind, 'width', i.width, 'height', i.height)
    from {tenant}.image i where i.id = c.image_id) as image,
  (select json_build_object('name', a.name, 'streetAddress', a.street_address, 'addressLocality', a.address_locality,
      'addressRegion', a.address_region, 'postalCode', a.postal_code, 'addressCountry', a.address_country,
      'latitude', a.latitude, 'longitude', a.longitude) from {tenant}.postal_address a where a.is_main) as main
  from {tenant}.configuration c`,
    };
  }

  /** @returns undefined when there is nothing to show */
  async read(): Promise<House | undefined> {
    const [house] = await this.db.statement<House>(this.statement, []);
    return house?.venue.hasHouse ? house : undefined;
  }
}

/**
 * Where the house is: the address of the profile, with the coordinates of the main address of events where both are the same; without one,
 * the main address.
 */
export function addressOf({ venue, main = null }: Pick<House, 'venue'> & Partial<Pick<House, 'main'>>): PublicAddress | null {
  const { streetAddress = null, postalCode = null, city = null, country = null } = venue;
  if (!streetAddress && !city) return main;
  const isMain = isSame(streetAddress, main?.streetAddress) && isSame(city, main?.addressLocality);
  const { latitude = null, longitude = null } = (isMain && main) || {};
  return {
    name: null,
    streetAddress,
    postalCode,
    addressLocality: city,
    addressRegion: null,
    addressCountry: country,
    latitude,
    longitude,
  };
}

const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();
