import { createHash } from 'node:crypto';
import { announcedMove } from '#notices';
import { eventCategories, eventTexts, type DateChange, type EventCategory, type WholeEvent } from '#catalogue';
import { isoInZone, isUuid, RefusedInput } from '#kernel';
import { longestNote } from '#tickets';
import { currentTenant, hasModule } from '#tenancy';
import { currentPanelRequest, formAction, type FormField, isChecked, mayNow, PanelFieldError, type PanelAction } from '#panel-kit';
import { type PanelRow, type PanelValue, recordHref, textOf } from '#panel-kit';
import { productsField, productsFor } from '../forms/products-of-event.js';
import { refusable } from '../forms/refusals.js';
import { toldMessage } from '../forms/told.js';
import type { SeriesServices } from './series.services.js';
import { guestsOf } from './series.reader.js';
import { eventLabels, reservedWords, seriesWords } from './series.words.js';

/** Addresses to choose from; another one is chosen on the page of the event. */
const mostPlaces = 200;

/** One form that changes an event and the later dates of its series. It sends what it showed, so that only what people change does. */
export function changeDatesAction(services: SeriesServices): PanelAction {
  const { db, series } = services;
  return formAction({
    icon: 'Edit3',
    visible: ({ seriesId }) => Boolean(seriesId),
    form: async (id) => {
      const words = seriesWords[currentPanelRequest().language];
      const event = await found(services, id);
      const ids = await series.datesFrom(id);
      const { reserved, holders } = await guestsOf(db, ids);
      const fields = await fieldsOf(services, event);
      return {
        lead: [words.changeLead],
        facts: [words.touches(ids.length), reservedWords(reserved), words.clocksOnly(clockOf(event.startsAt))],
        fields: [
          ...fields,
          ...(holders > 0 ? tellFields(holders) : []),
          { name: 'before', kind: 'hidden', label: '', value: JSON.stringify(marksOf(fields)) },
        ],
        submit: words.changeDo,
      };
    },
    act: async (id, values) => {
      const change = changeIn(values);
      const tells = isChecked(values['tell']);
      const told: string[] = [];
      const done = await refusable(() =>
        underFormNames(async () => {
          const more = tells
            ? services.notices.tellingOf(mayNow('mail.write') ? textOf(values['note']) : '', (date) => told.push(date))
            : (...[tx, before, now]: Parameters<typeof services.notices.untold>) => services.notices.untold(tx, before, now);
          return series.changeFrom(id, change, { more, ...(tells && { underLock: announcedMove }) });
        }),
      );
      if (!done) throw gone();
      const { holders } = await guestsOf(db, told);
      const said = holders > 0 ? { message: toldMessage(services.mails), options: { count: holders } } : { message: 'datesChanged' };
      return { ...said, redirect: recordHref('events', id) };
    },
  });
}

const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');
const clockOf = (instant: Date | null): string => (instant ? isoInZone(instant, currentTenant().timeZone).slice(11, 16) : '');

async function found({ events }: SeriesServices, id: string): Promise<WholeEvent> {
  const event = await events.find(id);
  if (!event) throw gone();
  return event;
}

async function fieldsOf({ db, addresses }: SeriesServices, event: WholeEvent): Promise<FormField[]> {
  const { language } = currentPanelRequest();
  const [labels, words] = [eventLabels[language], seriesWords[language]];
  const places = (await addresses.list()).slice(0, mostPlaces);
  const products = hasModule('ticketing') ? await productsFor(db, event.id) : [];
  const text = (name: 'name' | 'subtitle' | 'ageRange' | 'access' | 'doorNote'): FormField => {
    return { name, kind: 'text', label: labels[name], value: event[name] ?? '', longest: eventTexts[name] };
  };
  const area = (name: 'shortDescription' | 'longDescription'): FormField => {
    return { name, kind: 'textarea', label: labels[name], value: event[name] ?? '', longest: eventTexts[name] };
  };
  const number = (name: (typeof numbers)[number]): FormField => {
    return { name, kind: 'text', label: labels[name], value: String(event[name] ?? ''), longest: 7 };
  };
  const time = (name: string, label: string, value: Date | null): FormField => ({ name, kind: 'time', label, value: clockOf(value) });
  const kinds = Object.keys(eventCategories) as EventCategory[];
  return [
    { ...text('name'), required: true },
    text('subtitle'),
    area('shortDescription'),
    area('longDescription'),
    {
      name: 'category',
      kind: 'select',
      label: labels.category,
      value: event.category,
      // A volunteering slot stays one: it belongs to another event.
      options: kinds
        .filter((kind) => (kind === 'ACT') === (event.category === 'ACT'))
        .map((kind) => ({ value: kind, label: eventCategories[kind][language] })),
    },
    { ...time('begins', labels.startsAt, event.startsAt), required: true },
    { ...time('ends', labels.endsAt, event.endsAt), follows: 'begins', beside: true },
    { ...time('doors', labels.doorsAt, event.doorsAt), follows: 'begins', beside: true },
    {
      name: 'postalAddressId',
      kind: 'select',
      label: labels.postalAddressId,
      value: event.postalAddressId ?? '',
      empty: words.nowhere,
      options: places.map(({ id, name, streetAddress }) => ({ value: id, label: name ?? streetAddress ?? '' })),
    },
    { ...number('capacity'), required: true, beside: true },
    number('durationMinutes'),
    { ...number('minimumAge'), beside: true },
    { ...text('ageRange'), beside: true },
    text('access'),
    text('doorNote'),
    ...(products.length > 0 ? [productsField(products)] : []),
    {
      name: 'published',
      kind: 'select',
      label: labels.published,
      value: String(event.published),
      options: [
        { value: 'true', label: words.yes },
        { value: 'false', label: words.no },
      ],
    },
  ];
}

const numbers = ['capacity', 'durationMinutes', 'minimumAge'] as const;

/** A sentence of one's own is a mail to guests. */
function tellFields(holders: number): FormField[] {
  const words = seriesWords[currentPanelRequest().language];
  const when = { field: 'tell', values: ['true'] };
  const note: FormField = { name: 'note', kind: 'textarea', label: words.note, longest: longestNote, when };
  return [
    {
      name: 'tell',
      kind: 'choice',
      label: words.tellTitle,
      help: words.tellHelp,
      value: 'true',
      options: [
        { value: 'true', label: words.tell(holders) },
        { value: 'false', label: words.no },
      ],
    },
    ...(mayNow('mail.write') ? [note] : []),
  ];
}

const plain = (value: PanelValue | undefined): string =>
  Array.isArray(value)
    ? value.map(String).toSorted().join()
    : (typeof value === 'boolean' ? String(value) : textOf(value)).replaceAll('\r\n', '\n');
/** A short mark of a text, which tells whether it changed; a list is its own mark. */
const markOf = (value: PanelValue | undefined): string =>
  Array.isArray(value) ? plain(value) : createHash('sha256').update(plain(value)).digest('base64url').slice(0, 16);
const marksOf = (fields: readonly FormField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, markOf(value)]));

/** The marks of what the form showed. @throws PanelFieldError */
function marksIn(value: PanelValue | undefined): Readonly<Record<string, string>> {
  try {
    const marks: unknown = JSON.parse(textOf(value));
    if (typeof marks === 'object' && marks !== null)
      return Object.fromEntries(Object.entries(marks).map(([name, mark]) => [name, String(mark)]));
  } catch {
    // Answered below.
  }
  throw gone();
}

/** What people changed of what the form showed. @throws PanelFieldError when that is nothing */
function changeIn(values: PanelRow): DateChange {
  const before = marksIn(values['before']);
  // A form without a checked box sends no list.
  const sent: PanelRow = { ...(before['productIds'] !== undefined && { productIds: [] }), ...values };
  const changed = new Map(Object.entries(sent).filter(([name, value]) => before[name] !== undefined && before[name] !== markOf(value)));
  if (changed.size === 0) throw new PanelFieldError({}, seriesWords[currentPanelRequest().language].nothingChanged);
  const read = <Value>(names: readonly string[], of: (text: string) => Value): Record<string, Value> =>
    Object.fromEntries(names.filter((name) => changed.has(name)).map((name) => [name, of(plain(changed.get(name)).trim())]));
  const orNull = (text: string): string | null => text || null;
  const [chosen, shown] = [[changed.get('productIds') ?? []].flat().filter(isUuid), (before['productIds'] ?? '').split(',').filter(isUuid)];
  return {
    change: {
      ...read(['name', 'category'], String),
      ...read(['subtitle', 'shortDescription', 'longDescription', 'ageRange', 'access', 'doorNote', 'postalAddressId'], orNull),
      ...read(['capacity'], Number),
      ...read(['durationMinutes', 'minimumAge'], (text) => (text === '' ? null : Number(text))),
      ...read(['published'], (text) => text === 'true'),
    },
    clocks: { ...read(['begins'], String), ...read(['ends', 'doors'], orNull) },
    ...(changed.has('productIds') && {
      products: { added: chosen.filter((id) => !shown.includes(id)), removed: shown.filter((id) => !chosen.includes(id)) },
    }),
  };
}

const formNames: Readonly<Record<string, string>> = { startsAt: 'begins', endsAt: 'ends', doorsAt: 'doors' };

/** Names the fields of the form for the times of an event. */
async function underFormNames<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const name = error instanceof RefusedInput ? formNames[error.field] : undefined;
    throw error instanceof RefusedInput && name ? error.at(name) : error;
  }
}
