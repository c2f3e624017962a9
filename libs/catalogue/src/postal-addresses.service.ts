import { Injectable } from '@nestjs/common';
import { RefusedInput, type Text } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { PostalAddress } from './postal-address.entity.js';

type Writable = Omit<PostalAddress, 'id'>;
export type NewPostalAddress = Pick<
  PostalAddress,
  'streetAddress' | 'addressLocality' | 'postalCode' | 'addressCountry'
> &
  Partial<Writable>;

/** Where the current tenant's events take place. */
@Injectable()
export class PostalAddresses {
  constructor(private readonly db: TenantDb) {}

  /** @throws RefusedInput on streetAddress, addressLocality, postalCode, addressCountry, latitude or longitude */
  create(input: NewPostalAddress): Promise<PostalAddress> {
    const checked = checkAddress(input);
    return this.db.transaction(async (tx) => {
      if (checked.isMain) await nowhereMain(tx);
      const { identifiers } = await tx.insert(PostalAddress, checked);
      return tx.findOneByOrFail(PostalAddress, { id: (identifiers[0] as { id: string }).id });
    });
  }

  /** @throws RefusedInput as `create`; false when there is no such address */
  update(id: string, change: Partial<Writable>): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const address = await tx.findOne(PostalAddress, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!address) return false;
      const { id: _, ...checked } = checkAddress({ ...address, ...change });
      if (checked.isMain && !address.isMain) await nowhereMain(tx);
      await tx.update(PostalAddress, { id }, checked);
      return true;
    });
  }
}

/** One address at most is the main one: a new one takes the place of the old. */
async function nowhereMain(tx: Tx): Promise<void> {
  await tx.update(PostalAddress, { isMain: true }, { isMain: false });
}

const missing: Readonly<Record<'streetAddress' | 'addressLocality' | 'postalCode', Text>> = {
  streetAddress: { en: 'Write the street and number.', fr: 'Indiquez la rue et le numéro.' },
  addressLocality: { en: 'Write the town.', fr: 'Indiquez la commune.' },
  postalCode: { en: 'Write the postal code.', fr: 'Indiquez le code postal.' },
};

/** Decisions 9: what an address must have; the country in capitals. */
function checkAddress<Address extends Partial<PostalAddress>>(address: Address): Address {
  for (const field of ['streetAddress', 'addressLocality', 'postalCode'] as const) {
    if (!address[field]?.trim()) throw new RefusedInput(field, missing[field]);
  }
  const addressCountry = address.addressCountry?.trim().toUpperCase() ?? '';
  if (!isCountry(addressCountry)) {
    throw new RefusedInput('addressCountry', {
      en: 'Write the country as two letters, such as FR.',
      fr: 'Écrivez le pays en deux lettres, par exemple FR.',
    });
  }
  checkDegrees('latitude', address.latitude, 90);
  checkDegrees('longitude', address.longitude, 180);
  return { ...address, addressCountry };
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that the names' table holds and ISO 3166-1 does not assign. */
const notCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Whether this is an assigned ISO 3166-1 alpha-2 code. */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !notCountries.has(code) && countryNames.of(code) !== undefined;
}

function checkDegrees(field: 'latitude' | 'longitude', value: number | null | undefined, most: number): void {
  if (value === null || value === undefined || (Number.isFinite(value) && Math.abs(value) <= most)) return;
  throw new RefusedInput(field, {
    en: `Write degrees from -${most} to ${most}, or leave it empty.`,
    fr: `Écrivez des degrés de -${most} à ${most}, ou laissez vide.`,
  });
}
