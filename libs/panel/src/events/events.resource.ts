import { takenPlacesSql, EventCancellations, Mails } from '#booking';
import { Event, eventCategories, productCategories, takesVolunteersSql, Events, Images } from '#catalogue';
import type { EventChange, NewEvent } from '#catalogue';
import { foldedColumnSql } from '#kernel';
import { hasModule, TenantDb } from '#tenancy';
import type { PanelEntry, PanelProperty, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  searchProperty,
  entityReader,
  textOf,
  recordHref,
  related,
  relatedProperty,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { eventActions, productsFor } from './events.actions.js';
import { formWords, words } from './events.words.js';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { refusable } from '../forms/refusals.js';
const sellsTickets = (): boolean => hasModule('ticketing');

const properties: PanelProperty[] = [
  { name: 'id', type: 'uuid', isId: true },
  searchProperty,
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
  { name: 'keywords', type: 'string', sortable: false, help: 'keywordsHelp' },
  { name: 'radioOptions', type: 'textarea', help: 'optionsHelp', inForms: sellsTickets },
  { name: 'checkboxOptions', type: 'textarea', help: 'optionsHelp', inForms: sellsTickets },
  { name: 'filled', type: 'string', editable: false, sortable: false, filterable: false },
  { name: 'revenue', type: 'decimal', editable: false, sortable: false, filterable: false },
  { name: 'slug', type: 'string', editable: false },
  { name: 'cancellation', type: 'mixed', editable: false, components: { show: 'Warning' } },
  relatedProperty('products'),
  pictureProperty,
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
  'keywords',
  'radioOptions',
  'checkboxOptions',
] as const;

/** The names that stand in a field, with these signs between them. */
const namesIn = (value: PanelValue, between: RegExp): string[] =>
  textOf(value)
    .split(between)
    .map((name) => name.trim())
    .filter(Boolean);

/** The form's dates and lists as the service takes them. */
function toChange({ startsAt, endsAt, keywords, radioOptions, checkboxOptions, ...rest }: PanelRow): EventChange {
  return {
    ...rest,
    ...(keywords !== undefined && { keywords: namesIn(keywords, /[,;\n]/) }),
    ...(radioOptions !== undefined && { radioOptions: namesIn(radioOptions, /\n/) }),
    ...(checkboxOptions !== undefined && { checkboxOptions: namesIn(checkboxOptions, /\n/) }),
    ...(typeof startsAt === 'string' && { startsAt: new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: typeof endsAt === 'string' ? new Date(endsAt) : null }),
  };
}

/** SQL of how many tickets for admission of an event are in one of these states. */
const ticketsIn = (states: string): string =>
  `(select count(*)::int from ticket where ticket.event_id = event.id and ticket.admission and ticket.status in (${states}))`;

const optionsOf = (kind: string): string =>
  `(select string_agg(option.name, E'\\n' order by option.position) from event_option option where option.event_id = event.id and option.kind = '${kind}')`;

/** SQL of what was paid for an event and neither was nor will be given back. */
const revenue = `(select coalesce(sum(case when payment.kind = 'refund' then -payment.amount else payment.amount end), 0.00)
  from payment join reservation on reservation.id = payment.reservation_id
  where reservation.event_id = event.id and payment.status in ('paid', 'refund_due', 'refunded') and payment.method <> 'offered')`;

/** How far the cancellation of an event has come, in words. */
async function cancellationOf(cancellations: EventCancellations, id: string): Promise<string | null> {
  const progress = await cancellations.progress(id);
  if (!progress) return null;
  const words = formWords[currentPanelRequest().language];
  const { left, cancelled, kept } = progress;
  const said = left > 0 ? words.cancelling(left) : words.cancelledAll(cancelled);
  return [said, kept > 0 && words.kept(kept)].filter(Boolean).join(' · ');
}

async function productItems(db: TenantDb, id: string, takesVolunteers: boolean): Promise<PanelValue> {
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const sold = (await productsFor(db, id)).filter((product) => product.sold);
  const items = sold.map((product) => ({
    title: product.name,
    href: recordHref('products', product.id),
    details: productCategories[product.category][language],
  }));
  const slot =
    takesVolunteers && sellsTickets() ? [{ title: words.volunteering, details: words.volunteeringDetails }] : [];
  const choose = { href: recordHref('events', id, 'products'), label: words.chooseProducts };
  return related([...slot, ...items], sellsTickets() || sold.length > 0 ? choose : undefined);
}

/** What happens, when and where. What was booked is not deleted but unpublished. */
@PanelResource({ panels: 'tenant', position: 90, modules: 'events' })
export class EventsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly events: Events,
    private readonly cancellations: EventCancellations,
    private readonly mails: Mails,
    private readonly images: Images,
  ) {}

  entry(): PanelEntry {
    const { db, events, cancellations, mails, images } = this;
    const reader = entityReader({
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
        imageId: 'event.imageId',
        createdAt: 'event.createdAt',
        filled: `concat(${takenPlacesSql('event')}, ' / ', event.capacity)`,
        revenue,
        keywords: `(select string_agg(tag.name, ', ' order by tag.key) from event_tag join tag on tag.id = event_tag.tag_id
          where event_tag.event_id = event.id)`,
        radioOptions: optionsOf('radio'),
        checkboxOptions: optionsOf('checkbox'),
        takesVolunteers: takesVolunteersSql('event'),
        bookings: `(select count(*)::int from reservation where reservation.event_id = event.id and reservation.status <> 'C')`,
      },
      searched: { own: [foldedColumnSql('event.name')], ids: ['event.id'] },
      sort: { by: 'startsAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'events',
      properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const [products, cancellation] = [
          await productItems(db, id, row['takesVolunteers'] === true),
          await cancellationOf(cancellations, id),
        ];
        return { ...row, products, cancellation, picture: shownPicture(row['imageId'] as string | null) };
      },
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
      list: ['name', 'startsAt', 'category', 'filled', 'revenue', 'inside', 'published'],
      show: [
        'cancellation',
        ...form.slice(0, 6),
        'filled',
        'sold',
        'inside',
        'revenue',
        'products',
        'picture',
        ...form.slice(7),
        'slug',
        'createdAt',
        'id',
      ],
      edit: form,
      filter: [
        'search',
        'name',
        'startsAt',
        'category',
        'keywords',
        'superEventId',
        'postalAddressId',
        'published',
        'isPrivate',
      ],
      sort: { by: 'startsAt', direction: 'desc' },
      actions: {
        ...eventActions(db, events, cancellations, mails),
        picture: pictureAction(
          images,
          async (id) => (await events.find(id))?.imageId,
          (id, picture) => events.update(id, { picture }),
        ),
      },
      hit: { details: ['category', 'filled'], at: 'startsAt', state: 'published' },
      words: inBoth((language) => ({ ...words[language], values: { category: labels(eventCategories, language) } })),
    };
  }
}
