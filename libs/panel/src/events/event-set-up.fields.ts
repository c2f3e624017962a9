import { eventCategories, eventTexts, vatChoices, type EventCategory, type PostalAddressesService } from '#catalogue';
import { hasModule, type TenantDb } from '#tenancy';
import { currentPanelRequest, type FormField } from '#panel-kit';
import { vatLabel } from '../products/prices.resource.js';
import { dateFields } from '../series/series-fields.js';
import { setUpWords } from './events.words.js';

/** Prices that the form takes at most. */
export const mostPrices = 50;
/** Addresses to choose from; another one is chosen on the page of the event. */
const mostPlaces = 200;

/** Kinds to choose from. A volunteering slot also needs the event that it belongs to, so it has the long form. */
export const kinds = (Object.keys(eventCategories) as EventCategory[]).filter((kind) => kind !== 'ACT');

/** The choice of the form for a place that has no address yet. */
export const elsewhere = 'elsewhere';

/** The fields of the form for a new event: what, when, where, how much. */
export async function setUpFields(db: TenantDb, addresses: PostalAddressesService): Promise<FormField[]> {
  const { language } = currentPanelRequest();
  const words = setUpWords[language];
  const last = await lastEvent(db);
  return [
    { name: 'name', kind: 'text', label: words.name, required: true, longest: eventTexts.name },
    { name: 'shortDescription', kind: 'textarea', label: words.description, longest: eventTexts.shortDescription },
    { name: 'day', kind: 'date', label: words.day, required: true },
    { name: 'begins', kind: 'time', label: words.begins, required: true, beside: true },
    { name: 'doors', kind: 'time', label: words.doors, beside: true },
    { name: 'ends', kind: 'time', label: words.ends, beside: true },
    ...dateFields(''),
    ...(await placeFields(addresses)),
    { name: 'capacity', kind: 'text', label: words.capacity, value: String(last?.capacity ?? 50), required: true, longest: 7 },
    {
      name: 'category',
      kind: 'select',
      label: words.kind,
      value: '',
      empty: words.chooseKind,
      required: true,
      options: kinds.map((kind) => ({ value: kind, label: eventCategories[kind][language] })),
      beside: true,
    },
    ...(hasModule('ticketing') ? [await priceField(db, addresses)] : []),
    { name: 'durationMinutes', kind: 'text', label: words.duration, longest: 4 },
    { name: 'ageRange', kind: 'text', label: words.age, longest: eventTexts.ageRange, beside: true },
    { name: 'access', kind: 'text', label: words.access, longest: eventTexts.access },
    { name: 'img', kind: 'file', label: words.picture, accept: 'image/jpeg,image/png,image/webp,image/gif,image/avif' },
    { name: 'published', kind: 'hidden', label: '', value: 'true' },
  ];
}

async function placeFields(addresses: PostalAddressesService): Promise<FormField[]> {
  const words = setUpWords[currentPanelRequest().language];
  const places = (await addresses.list()).slice(0, mostPlaces);
  const when = { field: 'place', values: [elsewhere] };
  return [
    {
      name: 'place',
      kind: 'select',
      label: words.place,
      value: places.find(({ isMain }) => isMain)?.id ?? places[0]?.id ?? elsewhere,
      empty: words.nowhere,
      options: [
        ...places.map(({ id, name, streetAddress }) => ({ value: id, label: [name, streetAddress].filter(Boolean).join(', ') })),
        { value: elsewhere, label: words.elsewhere },
      ],
    },
    { name: 'placeName', kind: 'text', label: words.placeName, required: true, when },
    { name: 'streetAddress', kind: 'text', label: words.street, beside: true, when },
    { name: 'postalCode', kind: 'text', label: words.postalCode, longest: 20, when },
    { name: 'addressLocality', kind: 'text', label: words.town, beside: true, when },
  ];
}

async function priceField(db: TenantDb, addresses: PostalAddressesService): Promise<FormField> {
  const { language } = currentPanelRequest();
  const words = setUpWords[language];
  const rates = vatChoices(await addresses.country());
  const last = await lastRate(db);
  return {
    name: 'prices',
    kind: 'rows',
    label: words.prices,
    help: words.pricesHelp,
    rows: {
      legend: words.price,
      initial: 1,
      most: mostPrices,
      add: words.addPrice,
      remove: words.removePrice,
      fields: [
        { name: 'price', kind: 'text', label: words.priceName, longest: 200 },
        { name: 'amount', kind: 'text', label: words.amount, required: true, longest: 12 },
        {
          name: 'vat',
          kind: 'select',
          label: words.vat,
          value: rates.find((rate) => rate === last) ?? 'NA',
          options: rates.map((value) => ({ value, label: vatLabel(value, language) })),
        },
      ],
    },
  };
}

/** What the form begins with: a house has the same places. Its kind is asked each time, because a wrong one is published unseen. */
async function lastEvent(db: TenantDb): Promise<{ capacity: number } | undefined> {
  const [event] = await db.transaction((tx) =>
    tx.query<{ capacity: number }[]>('select capacity from event where super_event_id is null order by created_at desc, id limit 1'),
  );
  return event;
}

/** The rate of the last ticket price that costs something. No country has one rate for all events, so that the first time has none. */
async function lastRate(db: TenantDb): Promise<string | undefined> {
  const [price] = await db.transaction((tx) =>
    tx.query<{ vat: string }[]>(
      `select price.vat from price join product on product.id = price.product_id where product.category = 'B' and price.amount > 0
       order by price.created_at desc, price.id limit 1`,
    ),
  );
  return price?.vat;
}
