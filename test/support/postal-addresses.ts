import { PostalAddress } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { TestApp } from './test-app.js';

/** The required members of a postal address. */
export const required = { streetAddress: '1 rue Neuve', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
/** Makes an address the main address. */
export const main = [{ '@type': 'PropertyValue', name: 'isMain', value: true }];

/** Members that are refused, and the pointer of the fault. */
export const refused: [body: object, pointer: string][] = [
  [{ streetAddress: ' ' }, '/streetAddress'],
  [{ streetAddress: null }, '/streetAddress'],
  [{ streetAddress: 'x'.repeat(301) }, '/streetAddress'],
  [{ postalCode: 'x'.repeat(21) }, '/postalCode'],
  [{ addressRegion: {} }, '/addressRegion'],
  [{ addressCountry: 'XX' }, '/addressCountry'],
  [{ addressCountry: 'EU' }, '/addressCountry'],
  [{ addressCountry: 'SU' }, '/addressCountry'],
  [{ addressCountry: 'Francia occidental' }, '/addressCountry'],
  [{ addressCountry: { '@type': 'Country' } }, '/addressCountry'],
  [{ geo: { latitude: 45 } }, '/geo'],
  [{ geo: { latitude: null, longitude: 4 } }, '/geo'],
  [{ geo: { latitude: -90.1, longitude: 0 } }, '/geo/latitude'],
  [{ geo: { latitude: 0, longitude: 180.5 } }, '/geo/longitude'],
  [{ geo: [45, 4] }, '/geo'],
  [{ geo: '45,4' }, '/geo'],
  [{ additionalProperty: { name: 'isMain', value: true } }, '/additionalProperty'],
  [{ additionalProperty: [7] }, '/additionalProperty'],
  [{ additionalProperty: [{ name: 'isMain', value: 'yes' }] }, '/additionalProperty/0/value'],
  [{ additionalProperty: [...main, ...main] }, '/additionalProperty'],
];

/** Stores an address with a name in the tables of a tenant. */
export function newAddress(test: TestApp, tenant: TenantIdentity): Promise<PostalAddress> {
  const address = { name: 'Blue Hall', streetAddress: '1 Quay', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
  return test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.save(PostalAddress, address)));
}
