import { forEachLanguage, RefusedInput, RefusedInputs } from '#kernel';
import { currentPanelRequest, textOf, type PanelRow } from '#panel-kit';
import { zoneOfPlace } from '#places';
import { currentTenant } from '#tenancy';
import { payAtVenue } from '../payments/pay-at-venue.js';
import { readWelcome, type WelcomeServices } from './welcome.reader.js';

/** The ways to pay of the second step. */
export const paymentWays = ['venue', 'online', 'free'] as const;
export type PaymentWay = (typeof paymentWays)[number];

/**
 * Stores the first step: the profile, and the address where events take place unless they say otherwise.
 * @throws RefusedInput, RefusedInputs on name, streetAddress, postalCode, city, country, timeZone or accentColour
 */
export async function saveHouse(services: WelcomeServices, values: PanelRow): Promise<void> {
  const { profile, address } = await readWelcome(services);
  const text = (name: string): string => textOf(values[name]).trim();
  const [streetAddress, postalCode, city, country] = [text('streetAddress'), text('postalCode'), text('city'), text('country')];
  const place = { streetAddress, postalCode: postalCode || null, addressLocality: city, addressCountry: country };
  const own = currentPanelRequest().user?.email ?? null;
  const email = values['showEmail'] === undefined ? (profile.email === own ? null : profile.email) : own;
  const name = text('name');
  const timeZone = text('timeZone') || zoneOfPlace(country, currentTenant().timeZone);
  const colour = text('accentColour') || null;
  await services.profiles.change({ name, streetAddress, postalCode, city, country, timeZone, email, accentColour: colour });
  try {
    if (!address) await services.addresses.create({ ...place, name, isMain: true });
    else await services.addresses.update(address.id, { ...place, ...(address.name === profile.name && { name }) });
  } catch (error) {
    throw asFieldsOfHouse(error);
  }
}

const fields: Readonly<Record<string, string>> = { addressLocality: 'city', addressCountry: 'country' };

function asFieldsOfHouse(error: unknown): unknown {
  const renamed = ({ field, message }: RefusedInput): RefusedInput =>
    new RefusedInput(
      fields[field] ?? field,
      forEachLanguage(() => message),
    );
  if (error instanceof RefusedInputs) return new RefusedInputs(error.faults.map(renamed));
  return error instanceof RefusedInput ? renamed(error) : error;
}

/**
 * Stores the second step. Online payment without an account is not set up: nothing is stored then.
 * @returns whether an account for online payments must be added first
 */
export async function savePayment({ welcomes, profiles, checkouts }: WelcomeServices, values: PanelRow): Promise<boolean> {
  const way = paymentWays.find((one) => one === textOf(values['way']));
  if (!way) return false;
  if (way === 'online' && !(await checkouts.available())) return true;
  if (way === 'free') await profiles.change({ payAtVenueHours: null });
  else await payAtVenue(profiles);
  await welcomes.setFree(way === 'free');
  return false;
}
