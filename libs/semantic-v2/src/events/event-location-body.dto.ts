import { isPlaceKnown, type EventChange, type PlaceOfEvent } from '#catalogue';
import { ignoreMember, may, mayHold, optionalText, optionalWebAddress } from '#kernel';
import { anyValue } from '#http';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { AddressMembers, optionalCountry, toGeo } from '../addresses/postal-address-body.dto.js';
import { addressTexts } from '#catalogue';
import { asAnswered } from '../shared/answered-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** Members of a linked address in answers, besides its identifier. */
export const linkedAddressMembers = [
  'name',
  'streetAddress',
  'addressLocality',
  'addressRegion',
  'postalCode',
  'addressCountry',
  'geo',
  'image',
  'additionalProperty',
] as const;

/** An address of the place, or what is known of another one. */
export class EventAddressBody extends AddressMembers {
  @may('isIdentifier', (value) => Number.isSafeInteger(value) && (value as number) > 0, texts.localized('eventBody.addressInvalid'))
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Of an address that exists. Other members are accepted as they were answered.' })
  identifier?: number | null;

  @optionalText(addressTexts.streetAddress)
  streetAddress?: string | null;

  @optionalText(addressTexts.addressLocality)
  addressLocality?: string | null;

  @optionalText(addressTexts.postalCode)
  postalCode?: string | null;

  @optionalCountry
  addressCountry?: string | null;

  @ApiProperty({ ...anyValue, required: false, description: asAnswered })
  @Allow()
  image?: unknown;
}

/** Where an event takes place. */
export class LocationBody {
  @ApiProperty({ description: 'Place, or VirtualLocation.' })
  @optionalText(200)
  '@type'?: string | null;

  @optionalText(addressTexts.name)
  name?: string | null;

  @ApiProperty({ description: 'Also a text.' })
  @mayHold(EventAddressBody)
  address?: EventAddressBody | null;

  @ApiProperty({ description: 'Where a VirtualLocation is seen.' })
  @optionalWebAddress()
  url?: string | null;
}

/** What is known of the place of an event; undefined when nothing is by which people find it. */
export function placeOf({ name, address }: LocationBody): PlaceOfEvent | undefined {
  const { addressRegion = null, streetAddress = null, addressLocality = null, postalCode = null, addressCountry = null } = address ?? {};
  const texts = { name: name ?? address?.name ?? null, streetAddress, addressLocality, addressRegion, postalCode, addressCountry };
  const place = { ...texts, ...(address && toGeo(address)) };
  return isPlaceKnown(place) ? place : undefined;
}

/** The address of an event: one that exists, or a place. @param isNew without a place that is known, it gets none */
export function toPlaceChange(location: LocationBody | null | undefined, isNew = false): Pick<EventChange, 'postalAddressId' | 'place'> {
  if (location === undefined) return {};
  if (location === null || location.address === null) return { postalAddressId: null };
  const { identifier } = location.address ?? {};
  if (identifier !== undefined && identifier !== null) return { postalAddressId: String(identifier) };
  const place = isVirtual(location) ? undefined : placeOf(location);
  if (place) return { place };
  if (!isVirtual(location)) ignoreMember('/location');
  return isNew || isVirtual(location) ? { postalAddressId: null } : {};
}

export function isVirtual({ '@type': type }: LocationBody): boolean {
  return (type ?? '').endsWith('VirtualLocation');
}
