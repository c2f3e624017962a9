import {
  atClocks,
  EventsService,
  eventBefore,
  ImagesService,
  isClock,
  isPlaceKnown,
  PostalAddressesService,
  ProductsService,
  SeriesService,
} from '#catalogue';
import { vatOf, type NewEvent, type NewWholeProduct, type WholeEvent } from '#catalogue';
import {
  costsNothing,
  dateOf,
  forEachLanguage,
  instantInZone,
  RefusedInput,
  RefusedInputs,
  retryOnDeadlock,
  startOfDayInZone,
} from '#kernel';
import { currentTenant, hasModule, TenantDb, type Tx } from '#tenancy';
import type { FormField, FormView, PanelPage, PanelRow } from '#panel-kit';
import { currentPanelRequest, formOrPreview, isChecked, recordHref, textOf, UploadedFile } from '#panel-kit';
import { SeriesPoolsService } from '#tickets';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { datesIn, datesShown, sharesPlaces } from '../series/series-fields.js';
import { elsewhere, kinds, mostPrices, setUpFields } from './event-set-up.fields.js';
import { firstEventWords, setUpWords } from './events.words.js';

@Injectable()
export class EventSetUpServices {
  constructor(
    readonly db: TenantDb,
    readonly events: EventsService,
    readonly products: ProductsService,
    readonly addresses: PostalAddressesService,
    readonly images: ImagesService,
    readonly series: SeriesService,
    readonly pools: SeriesPoolsService,
  ) {}
}

/** The value of `published` of an event that is not published yet, and whose form with all fields opens next. */
const moreFields = 'more';

const asksMore = (values: PanelRow): boolean => textOf(values['published']) === moreFields;

/** One form that sets up an event with its prices and picture. The product that sells the prices is made with it, or nothing is made. */
export function eventSetUpPage(services: EventSetUpServices): PanelPage {
  return {
    icon: 'PlusCircle',
    component: 'ActionForm',
    variant: 'primary',
    view: (query) =>
      formOrPreview(
        query,
        () => setUpForm(services),
        (values) => setUpShown(services, values),
      ),
    act: async (values) => {
      const { id, count } = await refusable(async () => {
        const { make } = await madeOf(services, values);
        return retryOnDeadlock(() => services.db.transactionOnce(make));
      });
      return {
        message: isChecked(values['published']) ? 'setUpPublished' : 'setUpDone',
        options: { count },
        redirect: asksMore(values) ? recordHref('events', id, 'edit') : recordHref('events', id),
      };
    },
  };
}

/** Says which dates the form makes; empty while there is one only, or a field is wrong. */
export function setUpShown({ series }: EventSetUpServices, values: PanelRow): Promise<string> {
  const times = timesIn(values);
  return typeof times === 'string' ? Promise.resolve('') : datesShown(values, (dates) => series.startsWith(times, dates));
}

/** The form that sets up an event. */
export async function setUpForm({ db, addresses }: EventSetUpServices, hidden: readonly FormField[] = []): Promise<FormView> {
  const words = wordsNow();
  return {
    lead: [words.lead],
    fields: [...(await setUpFields(db, addresses)), ...hidden],
    submit: words.publish,
    preview: ['day', 'begins', 'step', 'until', 'clock'],
    also: {
      field: 'published',
      buttons: [
        { label: words.later, value: 'false' },
        { label: words.saveMore, value: moreFields },
      ],
    },
  };
}

/**
 * Sets up the first event of the tenant with the values of the form. A form without scripts may be sent twice at once: the second time
 * makes nothing, and is answered like the first. Where somebody else has set up another event meanwhile, it makes none; the form then
 * carries `further`, and is sent again.
 * @returns the sentence about the other event, or the form with all fields if it was asked for
 * @throws PanelFieldError
 */
export function setUpFirst(
  services: EventSetUpServices,
  values: PanelRow,
): Promise<{ readonly meanwhile?: string; readonly next?: string }> {
  return refusable(async () => {
    const { input, make } = await madeOf(services, values);
    return retryOnDeadlock(() =>
      services.db.transactionOnce(async (tx) => {
        const before = await eventBefore(tx, input);
        if (before && before.sameId === undefined && !isChecked(values['further'])) return { meanwhile: meanwhileWords(before.name) };
        const id = before?.sameId ?? (await make(tx)).id;
        return asksMore(values) ? { next: recordHref('events', id, 'edit') } : {};
      }),
    );
  });
}

const meanwhileWords = (name: string): string => firstEventWords[currentPanelRequest().language].meanwhile(name);

/** The first date, and how many there are. */
interface SetUp {
  readonly id: string;
  readonly count: number;
}

const wordsNow = () => setUpWords[currentPanelRequest().language];

/** Checks the values of the form. @returns the event, and what makes it in a transaction @throws RefusedInputs, PanelFieldError */
async function madeOf(
  { events, products, images, series, pools, addresses }: EventSetUpServices,
  values: PanelRow,
): Promise<{ readonly input: NewEvent; readonly make: (tx: Tx) => Promise<SetUp> }> {
  const { img } = values;
  const file: unknown = img;
  const [name, times] = [textOf(values['name']).trim(), timesIn(values)];
  const prices = hasModule('ticketing') ? pricesIn(values) : [];
  const dates = datesIn(values);
  const capacity = textOf(values['capacity']).trim();
  const place = await placeIn(addresses, values);
  const category = kinds.find((kind) => kind === textOf(values['category']));
  const faults = [
    ...(name === '' ? [new RefusedInput('name', sentence('nameMissing'))] : []),
    ...(typeof times === 'string' ? [new RefusedInput(times, sentence(times === 'day' ? 'dayMissing' : 'timeWrong'))] : []),
    ...(place ? [] : [new RefusedInput('placeName', sentence('placeMissing'))]),
    ...(category ? [] : [new RefusedInput('category', sentence('kindMissing'))]),
    ...(/^\d{1,7}$/.test(capacity) ? [] : [new RefusedInput('capacity', sentence('capacityWrong'))]),
    ...prices.flatMap(({ row, amount, vat }) => [
      ...(amount === undefined ? [new RefusedInput(`amount${row}`, sentence('amountWrong'))] : []),
      ...(vat === undefined ? [new RefusedInput(`vat${row}`, sentence('vatWrong'))] : []),
    ]),
  ];
  if (faults.length > 0 || typeof times === 'string' || !category) throw new RefusedInputs(faults);
  const picture = file instanceof UploadedFile ? await images.prepare(file.bytes(), 'img') : undefined;
  const minutes = textOf(values['durationMinutes']).trim();
  const published = isChecked(values['published']);
  const input = {
    name,
    ...times,
    capacity: Number(capacity),
    shortDescription: textOf(values['shortDescription']) || null,
    durationMinutes: minutes === '' ? null : Number(minutes),
    ageRange: textOf(values['ageRange']) || null,
    access: textOf(values['access']) || null,
    published,
    ...place,
    category,
    ...(picture && { picture }),
  };
  const make = async (tx: Tx): Promise<SetUp> => {
    const event = await events.createIn(tx, input);
    if (prices.length > 0) await products.createWholeIn(tx, { ...(await productOf(tx, event, prices)), eventIds: [event.id] });
    const further = (dates && (await series.addIn(tx, event.id, dates, published))) ?? [];
    const seriesId = further[0]?.seriesId;
    if (seriesId && sharesPlaces(values)) await pools.setCapacityIn(tx, seriesId, event.capacity);
    return { id: event.id, count: 1 + further.length };
  };
  return { input, make };
}

/** The times of the first date; the name of a field that is wrong. */
function timesIn(values: PanelRow): Pick<WholeEvent, 'startsAt' | 'endsAt' | 'doorsAt'> | 'day' | 'begins' | 'doors' | 'ends' {
  const { timeZone } = currentTenant();
  const [day, begins, doors, ends] = ['day', 'begins', 'doors', 'ends'].map((field) => textOf(values[field]).trim()) as [
    string,
    string,
    string,
    string,
  ];
  if (!startOfDayInZone(day, timeZone)) return 'day';
  if (!isClock(begins)) return 'begins';
  if (doors !== '' && !isClock(doors)) return 'doors';
  if (ends !== '' && !isClock(ends)) return 'ends';
  const start = { startsAt: instantInZone(`${day}T${begins}`, timeZone), endsAt: null, doorsAt: null };
  return { ...start, ...atClocks(start, { ends: ends || null, doors: doors || null }, timeZone) };
}

/** The address that was chosen, or the place that was typed; undefined when nothing of it was typed. */
async function placeIn(
  addresses: PostalAddressesService,
  values: PanelRow,
): Promise<Pick<NewEvent, 'postalAddressId' | 'place'> | undefined> {
  const chosen = textOf(values['place']);
  if (chosen !== elsewhere) return values['place'] === undefined ? {} : { postalAddressId: /^\d{1,9}$/.test(chosen) ? chosen : null };
  const typed = (field: string): string | null => textOf(values[field]).trim() || null;
  const place = {
    name: typed('placeName'),
    streetAddress: typed('streetAddress'),
    postalCode: typed('postalCode'),
    addressLocality: typed('addressLocality'),
    addressCountry: (await addresses.country()) ?? null,
  };
  return isPlaceKnown(place) ? { place } : undefined;
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

const sentence = (
  key: 'nameMissing' | 'dayMissing' | 'timeWrong' | 'placeMissing' | 'kindMissing' | 'capacityWrong' | 'amountWrong' | 'vatWrong',
) => forEachLanguage((language) => setUpWords[language][key]);
