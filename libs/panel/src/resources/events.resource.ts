import { Event, eventCategories } from '#catalogue';
import type { EventChange, Events, NewEvent } from '#catalogue';
import type { TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import type { PanelProperty, PanelRow, PanelSource } from '../panel-source.js';
import { entityReader } from './entity-reader.js';
import { words } from './events.words.js';
import { refusable } from './refusals.js';
import { inBoth, labels } from './resource-words.js';

const properties: PanelProperty[] = [
  { name: 'id', type: 'uuid', isId: true },
  { name: 'name', type: 'string', isTitle: true, required: true },
  {
    name: 'category',
    type: 'string',
    required: true,
    availableValues: Object.keys(eventCategories),
  },
  { name: 'superEventId', type: 'reference', reference: 'events', help: 'superEventHelp' },
  { name: 'startsAt', type: 'datetime', required: true },
  { name: 'endsAt', type: 'datetime' },
  { name: 'postalAddressId', type: 'reference', reference: 'addresses', referenceType: 'number' },
  { name: 'capacity', type: 'number', required: true, initial: 50 },
  { name: 'maxPerUser', type: 'number', filterable: false, help: 'maxPerUserHelp' },
  { name: 'sold', type: 'number', editable: false, filterable: false },
  { name: 'inside', type: 'number', editable: false, filterable: false },
  { name: 'published', type: 'boolean', initial: true, help: 'publishedHelp' },
  { name: 'isPrivate', type: 'boolean', initial: false, help: 'privateHelp' },
  { name: 'scanOpensMinutesBefore', type: 'number', filterable: false, help: 'scanOpensHelp' },
  { name: 'scanClosesMinutesAfter', type: 'number', filterable: false, help: 'scanClosesHelp' },
  { name: 'shortDescription', type: 'string', filterable: false },
  { name: 'longDescription', type: 'textarea' },
  { name: 'slug', type: 'string', editable: false },
  { name: 'createdAt', type: 'datetime', editable: false },
];

const form = [
  'name',
  'category',
  'superEventId',
  'startsAt',
  'endsAt',
  'postalAddressId',
  'capacity',
  'maxPerUser',
  'published',
  'isPrivate',
  'scanOpensMinutesBefore',
  'scanClosesMinutesAfter',
  'shortDescription',
  'longDescription',
] as const;

/** The form's dates as the service takes them. */
function toChange({ startsAt, endsAt, ...rest }: PanelRow): EventChange {
  return {
    ...rest,
    ...(typeof startsAt === 'string' && { startsAt: new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: typeof endsAt === 'string' ? new Date(endsAt) : null }),
  };
}

/** SQL of how many tickets of an event are in one of these states. */
const ticketsIn = (states: string): string =>
  `(select count(*)::int from ticket where ticket.event_id = event.id and ticket.status in (${states}))`;

/** What happens, when and where. What was booked is not deleted but unpublished. */
export function eventsResource(db: TenantDb, events: Events): PanelEntry {
  const source: PanelSource = {
    id: 'events',
    properties,
    ...entityReader({
      open: (work) => db.transaction(work),
      entity: Event,
      alias: 'event',
      columns: {
        id: 'event.id',
        name: 'event.name',
        category: 'event.category',
        superEventId: 'event.superEventId',
        startsAt: 'event.startsAt',
        endsAt: 'event.endsAt',
        postalAddressId: 'event.postalAddressId',
        capacity: 'event.capacity',
        maxPerUser: 'event.maxPerUser',
        sold: ticketsIn(`'K', 'S'`),
        inside: ticketsIn(`'S'`),
        published: 'event.published',
        isPrivate: 'event.isPrivate',
        scanOpensMinutesBefore: 'event.scanOpensMinutesBefore',
        scanClosesMinutesAfter: 'event.scanClosesMinutesAfter',
        shortDescription: 'event.shortDescription',
        longDescription: 'event.longDescription',
        slug: 'event.slug',
        createdAt: 'event.createdAt',
      },
      sort: { by: 'startsAt', direction: 'desc' },
    }),
    create: async (values) => {
      const { id, name } = await refusable(() => events.create(toChange(values) as NewEvent));
      return { id, name };
    },
    update: async (id, values) =>
      (await refusable(() => events.update(id, toChange(values)))) ? source.findOne(id) : null,
    remove: async (id) => {
      await refusable(() => events.remove(id));
    },
  };
  return {
    source,
    group: 'programme',
    icon: 'Calendar',
    list: ['name', 'startsAt', 'category', 'capacity', 'sold', 'inside', 'published'],
    show: [...form.slice(0, 7), 'sold', 'inside', ...form.slice(7), 'slug', 'createdAt', 'id'],
    edit: form,
    filter: ['name', 'startsAt', 'category', 'superEventId', 'postalAddressId', 'published', 'isPrivate'],
    sort: { by: 'startsAt', direction: 'desc' },
    words: inBoth((language) => ({ ...words[language], values: { category: labels(eventCategories, language) } })),
  };
}
