import { eventCategories, EventsService, ImagesService, PostalAddressesService, ProductsService, vatChoices, vatOf } from '#catalogue';
import type { EventCategory, NewWholeProduct, WholeEvent } from '#catalogue';
import { costsNothing, dateOf, forEachLanguage, RefusedInput, RefusedInputs, retryOnDeadlock } from '#kernel';
import { hasModule, TenantDb, type Tx } from '#tenancy';
import type { FormField, PanelPage, PanelRow, PanelValue } from '#panel-kit';
import { currentPanelRequest, formView, recordHref, textOf, UploadedFile } from '#panel-kit';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { vatLabel } from '../products/prices.resource.js';
import { setUpWords } from './events.words.js';

/** Prices that the form takes at most. */
const mostPrices = 50;
/** Addresses to choose from; another one is chosen on the page of the event. */
const mostPlaces = 200;

/** Kinds to choose from. A volunteering slot also needs the event that it belongs to, so it has the long form. */
const kinds = (Object.keys(eventCategories) as EventCategory[]).filter((kind) => kind !== 'ACT');

@Injectable()
export class EventSetUpServices {
  constructor(
    readonly db: TenantDb,
    readonly events: EventsService,
    readonly products: ProductsService,
    readonly addresses: PostalAddressesService,
    readonly images: ImagesService,
  ) {}
}

/** One form that sets up an event with its prices and picture. The product that sells the prices is made with it, or nothing is made. */
export function eventSetUpPage(services: EventSetUpServices): PanelPage {
  return {
    icon: 'PlusCircle',
    component: 'ActionForm',
    variant: 'primary',
    view: async () => formView({ lead: [wordsNow().lead], fields: await fieldsOf(services), submit: wordsNow().submit }),
    act: async (values) => {
      const { id } = await refusable(() => setUp(services, values));
      return { message: 'setUpDone', redirect: recordHref('events', id) };
    },
  };
}

const wordsNow = () => setUpWords[currentPanelRequest().language];

async function fieldsOf({ addresses }: EventSetUpServices): Promise<FormField[]> {
  const words = wordsNow();
  const { language } = currentPanelRequest();
  const places = (await addresses.list()).slice(0, mostPlaces);
  const rates = vatChoices(await addresses.country()).map((value) => ({ value, label: vatLabel(value, language) }));
  const prices: FormField = {
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
        { name: 'amount', kind: 'text', label: words.amount, longest: 12 },
        { name: 'vat', kind: 'select', label: words.vat, value: 'NA', options: rates },
      ],
    },
  };
  return [
    { name: 'name', kind: 'text', label: words.name, required: true, longest: 200 },
    {
      name: 'category',
      kind: 'select',
      label: words.kind,
      value: 'LIV',
      options: kinds.map((kind) => ({ value: kind, label: eventCategories[kind][language] })),
    },
    { name: 'startsAt', kind: 'datetime', label: words.startsAt, required: true },
    { name: 'endsAt', kind: 'datetime', label: words.endsAt },
    ...(places.length === 0
      ? []
      : [
          {
            name: 'postalAddressId',
            kind: 'select' as const,
            label: words.place,
            value: places.find(({ isMain }) => isMain)?.id ?? '',
            options: places.map(({ id, name, streetAddress }) => ({ value: id, label: name ?? streetAddress ?? '' })),
          },
        ]),
    { name: 'capacity', kind: 'text', label: words.capacity, value: '50', required: true, longest: 7 },
    ...(hasModule('ticketing') ? [prices] : []),
    { name: 'shortDescription', kind: 'textarea', label: words.description, longest: 2000 },
    { name: 'img', kind: 'file', label: words.picture, accept: 'image/jpeg,image/png,image/webp,image/gif,image/avif' },
    {
      name: 'published',
      kind: 'choice',
      label: words.published,
      value: 'false',
      options: [
        { value: 'false', label: words.later },
        { value: 'true', label: words.now },
      ],
    },
  ];
}

async function setUp({ db, events, products, images }: EventSetUpServices, values: PanelRow): Promise<WholeEvent> {
  const { img, postalAddressId } = values;
  const file: unknown = img;
  const [name, startsAt, endsAt] = [textOf(values['name']).trim(), instantIn(values['startsAt']), instantIn(values['endsAt'])];
  const prices = hasModule('ticketing') ? pricesIn(values) : [];
  const capacity = textOf(values['capacity']).trim();
  const faults = [
    ...(name === '' ? [new RefusedInput('name', sentence('nameMissing'))] : []),
    ...(startsAt === undefined ? [new RefusedInput('startsAt', sentence('startMissing'))] : []),
    ...(/^\d{1,7}$/.test(capacity) ? [] : [new RefusedInput('capacity', sentence('capacityWrong'))]),
    ...prices.flatMap(({ row, amount, vat }) => [
      ...(amount === undefined ? [new RefusedInput(`amount${row}`, sentence('amountWrong'))] : []),
      ...(vat === undefined ? [new RefusedInput(`vat${row}`, sentence('vatWrong'))] : []),
    ]),
  ];
  if (faults.length > 0 || !startsAt) throw new RefusedInputs(faults);
  const picture = file instanceof UploadedFile ? await images.prepare(await file.bytes(), 'img') : undefined;
  const place = textOf(postalAddressId);
  const category = kinds.find((kind) => kind === textOf(values['category']));
  const input = {
    name,
    startsAt,
    endsAt: endsAt ?? null,
    capacity: Number(capacity),
    shortDescription: textOf(values['shortDescription']) || null,
    published: values['published'] === true || values['published'] === 'true',
    ...(/^\d{1,9}$/.test(place) ? { postalAddressId: place } : {}),
    ...(category && { category }),
    ...(picture && { picture }),
  };
  return retryOnDeadlock(() =>
    db.transactionOnce(async (tx) => {
      const event = await events.createIn(tx, input);
      if (prices.length > 0) await products.createWholeIn(tx, { ...(await productOf(tx, event, prices)), eventIds: [event.id] });
      return event;
    }),
  );
}

interface PriceRow {
  readonly row: number;
  readonly name: string;
  /** Undefined: what was typed is no amount. */
  readonly amount: string | undefined;
  /** Undefined: it is no rate. */
  readonly vat: string | undefined;
}

/** The rows that were filled in. A row without a name gets the usual one. */
function pricesIn(values: PanelRow): PriceRow[] {
  const numbers = Object.keys(values).flatMap((name) => /^(?:price|amount)([1-9]\d?)$/.exec(name)?.[1] ?? []);
  const rows = [...new Set(numbers.map(Number))].toSorted((one, other) => one - other).slice(0, mostPrices);
  return rows.flatMap((row) => {
    const [name, typed] = [textOf(values[`price${row}`]).trim(), textOf(values[`amount${row}`]).trim().replace(',', '.')];
    if (name === '' && typed === '') return [];
    const amount = /^\d{1,6}(\.\d{1,2})?$/.test(typed) ? typed : undefined;
    return [{ row, name: name || wordsNow().usualPrice, amount, vat: vatOf(textOf(values[`vat${row}`]) || 'NA') }];
  });
}

/** The product is named like the event. Its date follows where another product has that name. */
async function productOf(tx: Tx, { name, slug, startsAt }: WholeEvent, prices: readonly PriceRow[]): Promise<NewWholeProduct> {
  const short = name.slice(0, 160);
  const dated = `${short} · ${dateOf(startsAt, currentPanelRequest().timeZone)}`;
  const names = [short, dated, `${dated} · ${slug.slice(-8)}`];
  const taken = await tx.query<{ name: string }[]>('select name from product where name = any($1)', [names]);
  return {
    name: names.find((one) => !taken.some((product) => product.name === one)) ?? dated,
    category: prices.every(({ amount = '' }) => costsNothing(amount)) ? 'F' : 'B',
    prices: prices.map(({ name: price, amount = '', vat = 'NA' }) => ({ name: price, amount, vat })),
  };
}

function instantIn(value: PanelValue | undefined): Date | undefined {
  const instant = new Date(textOf(value));
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

const sentence = (key: 'nameMissing' | 'startMissing' | 'capacityWrong' | 'amountWrong' | 'vatWrong') =>
  forEachLanguage((language) => setUpWords[language][key]);
