import { announcedMove, concernsGuests, toldCountSql } from '#notices';
import { EventCancellationsService, MailsService, SeriesPoolsService } from '#tickets';
import { UnbookableEventsService } from '#selling';
import {
  comingFirstSql,
  cutOffPolicies,
  Event,
  eventAlterations,
  eventCategories,
  takesVolunteersSql,
  unpublishedDateSql,
  EventPreviewLinks,
  EventCopiesService,
  EventsService,
  GalleriesService,
  ImagesService,
} from '#catalogue';
import type { NewEvent } from '#catalogue';
import { foldedColumnSql, SETTINGS, type Settings } from '#kernel';
import { hasModule, TenantDb } from '#tenancy';
import type { PanelEntry, PanelSort, PanelSource, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  isChecked,
  searchProperty,
  entityReader,
  textOf,
  relatedProperty,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { Inject } from '@nestjs/common';
import { EventMessageServices, messageAction } from './event-message.action.js';
import { sharedPlacesAction } from './shared-places.action.js';
import { toChange } from './event-change.js';
import { eventActions } from './events.actions.js';
import { eventSetUpPage, EventSetUpServices } from './event-set-up.page.js';
import { cancellationOf, hasLists, listItems, pageItems, productItems } from './event-items.js';
import { words } from './events.words.js';
import { isByHand, signedAmountSql } from '../payments/payments.reader.js';
import { unbookableNote } from '../forms/unbookable.js';
import { eventPictureActions } from './event-pictures.actions.js';
import { pictureProperty, shownPicture } from '../forms/picture.action.js';
import { seriesActions } from '../series/series.actions.js';
import { SeriesServices } from '../series/series.services.js';
import { datesOf } from '../series/series.reader.js';
import { filledSql, withFilled } from '../series/filled.js';
import { refusable } from '../forms/refusals.js';
import { toldNotice } from '../forms/told.js';

const sellsTickets = (): boolean => hasModule('ticketing');

/** SQL: the number of an event's admission tickets in these states. */
const ticketsIn = (states: string, condition = ''): string =>
  `(select count(*)::int from ticket where ticket.event_id = event.id and ticket.admission and ticket.status in (${states}) ${condition})`;

const optionsOf = (kind: string): string =>
  `(select string_agg(option.name, E'\\n' order by option.position) from event_option option where option.event_id = event.id
   and option.kind = '${kind}')`;

/** SQL: the event's revenue, that is payments less refunds, including pending refunds, without complimentary tickets. */
const revenue = `(select coalesce(sum(${signedAmountSql}), 0.00)
  from payment join reservation on reservation.id = payment.reservation_id
  where reservation.event_id = event.id and payment.status in ('paid', 'refund_due', 'refunded') and payment.method <> 'offered')`;

/** SQL: the number of refunds of an event that staff must pay out. */
const refundsDue = `(select count(*)::int from payment join reservation on reservation.id = payment.reservation_id
  where reservation.event_id = event.id and ${isByHand})`;

/** The tenant's events. An event with reservations cannot be deleted, only unpublished. */
@PanelResource({ panels: 'tenant', position: 90, modules: 'events' })
export class EventsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly events: EventsService,
    private readonly cancellations: EventCancellationsService,
    private readonly mails: MailsService,
    private readonly images: ImagesService,
    private readonly galleries: GalleriesService,
    private readonly previews: EventPreviewLinks,
    private readonly setUps: EventSetUpServices,
    private readonly messages: EventMessageServices,
    private readonly copies: EventCopiesService,
    private readonly series: SeriesServices,
    private readonly pools: SeriesPoolsService,
    private readonly unbookable: UnbookableEventsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, events, cancellations, mails, images, previews, messages } = this;
    const declared = declareProperties(
      {
        cancellation: { type: 'mixed', components: { show: 'Warning' }, show: true },
        unbookable: { type: 'mixed', components: { show: 'Warning' }, show: true },
        unbookableHref: { type: 'mixed', hidden: true },
        name: { isTitle: true, list: true, show: true, form: true, filter: true },
        subtitle: { show: true, form: true, filter: false },
        category: {
          availableValues: Object.keys(eventCategories),
          required: true,
          list: true,
          show: true,
          form: true,
          filter: true,
        },
        seriesId: { reference: 'series', show: true, filter: true },
        dates: { ...relatedProperty('dates'), show: true },
        superEventId: { reference: 'events', help: 'superEventHelp', show: true, form: true, filter: true },
        startsAt: { list: 2, components: { edit: 'StartTime' }, show: true, form: true, filter: 3 },
        doorsAt: { help: 'doorsAtHelp', show: true, form: true, filter: false },
        endsAt: { help: 'endsAtHelp', show: true, form: true },
        durationMinutes: { help: 'durationHelp', show: true, form: true, filter: false },
        ageRange: { help: 'ageRangeHelp', show: true, form: true, filter: false },
        access: { help: 'accessHelp', show: true, form: true, filter: false },
        alteration: { availableValues: Object.keys(eventAlterations), help: 'alterationHelp', show: true, form: true, filter: true },
        previousStartsAt: { help: 'previousStartsAtHelp', show: true, form: true, filter: false },
        postalAddressId: { reference: 'addresses', referenceType: 'number', show: true, form: true, filter: true },
        holders: { type: 'number', sort: false, filter: false, sql: toldCountSql('ticket.event_id = event.id') },
        capacity: { initial: 50, required: true, form: true },
        filled: {
          sort: false,
          list: true,
          show: true,
          filter: false,
          sql: filledSql.filled,
        },
        sharedLeft: { hidden: true, sql: filledSql.sharedLeft },
        sold: { type: 'number', show: true, filter: false, sql: ticketsIn(`'K', 'S'`) },
        inside: { type: 'number', list: true, show: true, filter: false, sql: ticketsIn(`'S'`, 'and ticket.left_at is null') },
        revenue: { type: 'decimal', sort: false, list: 5, show: true, filter: false, sql: revenue },
        page: { ...relatedProperty('page'), show: true },
        lists: { ...relatedProperty('lists'), show: true, isShown: hasLists },
        products: { ...relatedProperty('products'), show: true },
        picture: { ...pictureProperty, show: true },
        maxPerUser: { help: 'maxPerUserHelp', show: true, form: true, filter: false },
        merchantReturnDays: { initial: 7, help: 'returnDaysHelp', inForms: sellsTickets, show: true, form: true, filter: false },
        published: { initial: true, help: 'publishedHelp', list: true, show: true, form: true, filter: true },
        isPrivate: { initial: false, help: 'privateHelp', show: true, form: true, filter: true },
        scanOpensMinutesBefore: { help: 'scanOpensHelp', show: true, form: true, filter: false },
        scanClosesMinutesAfter: { help: 'scanClosesHelp', show: true, form: true, filter: false },
        reentry: { initial: false, help: 'reentryHelp', show: true, form: true, filter: false },
        doorNote: { help: 'doorNoteHelp', show: true, form: true, filter: false },
        minimumAge: { help: 'minimumAgeHelp', show: true, form: true, filter: false },
        cutOffPolicy: {
          availableValues: cutOffPolicies,
          initial: 'record',
          help: 'cutOffPolicyHelp',
          show: true,
          form: true,
          filter: false,
        },
        shortDescription: { show: true, form: true, filter: false },
        longDescription: { type: 'textarea', show: true, form: true },
        keywords: {
          sort: false,
          help: 'keywordsHelp',
          show: true,
          form: true,
          filter: 5,
          sql: `(select string_agg(tag.name, ', ' order by tag.key) from event_tag join tag on tag.id = event_tag.tag_id
          where event_tag.event_id = event.id)`,
        },
        radioOptions: {
          type: 'textarea',
          help: 'optionsHelp',
          inForms: sellsTickets,
          show: true,
          form: true,
          sql: optionsOf('radio'),
        },
        checkboxOptions: {
          type: 'textarea',
          help: 'optionsHelp',
          inForms: sellsTickets,
          show: true,
          form: true,
          sql: optionsOf('checkbox'),
        },
        // At the end of the form, above the button that saves.
        tellHolders: { type: 'boolean', components: { edit: 'TellHolders' }, form: true, filter: false },
        holderNote: { type: 'textarea', components: { edit: 'TellHolders' }, form: true, filter: false },
        slug: { show: true },
        createdAt: { show: true },
        datesToPublish: {
          hidden: true,
          sql: `(select count(*)::int from event other where other.series_id = event.series_id and ${unpublishedDateSql('other')})`,
        },
        imageId: { hidden: true },
        sameAs: { hidden: true },
        takesVolunteers: { hidden: true, sql: takesVolunteersSql('event') },
        bookings: {
          hidden: true,
          sql: `(select count(*)::int from reservation where reservation.event_id = event.id
            and reservation.status <> 'C' and not reservation.is_draft)`,
        },
        refundsDue: { hidden: true, sql: refundsDue },
        id: { show: true },
        upcoming: { type: 'number', hidden: true, filter: false, sql: comingFirstSql('event', this.settings) },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Event, alias: 'event' },
    );
    const sort: PanelSort = { by: 'upcoming', direction: 'asc' };

    const reader = withFilled(
      entityReader({
        ...declared.reading,
        open: (work) => db.transaction(work),
        searched: { own: [foldedColumnSql('event.name'), foldedColumnSql(`coalesce(event.subtitle, '')`)], ids: ['event.id'] },
        sort,
      }),
    );
    const source: PanelSource = {
      id: 'events',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const [products, cancellation] = [
          await productItems(db, id, row['takesVolunteers'] === true),
          await cancellationOf(cancellations, id),
        ];
        const page = pageItems(previews, row, cancellation !== null);
        const reason = (await this.unbookable.reasons([id])).get(id);
        const note = reason && unbookableNote(id, reason, currentPanelRequest().language);
        const unbookable = { unbookable: note?.text ?? null, unbookableHref: note?.href ?? null };
        const dates = row['seriesId'] ? await datesOf(db, textOf(row['seriesId']), id) : null;
        return {
          ...row,
          ...unbookable,
          page,
          lists: listItems(id),
          dates,
          products,
          cancellation,
          picture: shownPicture(row['imageId'] as string | null),
        };
      },
      create: async (values) => {
        const { id, name } = await refusable(() => events.create(toChange(values) as NewEvent));
        return { id, name };
      },
      update: async (id, values) => {
        const change = toChange(values);
        const tells = isChecked(values['tellHolders']);
        let concerns = false;
        const tell = tells ? messages.notices.tellingOf(textOf(values['holderNote'])) : undefined;
        const changed = await refusable(() =>
          events.update(
            id,
            change,
            (current) => (tells ? announcedMove(current, change) : {}),
            async (tx, before, now) => {
              concerns = concernsGuests(before, now);
              await (tell ? tell(tx, before, now) : messages.notices.untold(tx, before, now));
            },
          ),
        );
        const row = changed ? await source.findOne(id) : null;
        return row && { ...row, concerned: concerns ? (row['holders'] ?? 0) : 0, told: tells };
      },
      remove: async (id) => {
        await refusable(() => events.remove(id));
      },
    };
    return {
      source,
      group: 'programme',
      icon: 'Calendar',
      ...declared.places,
      sort,
      actions: {
        ...eventActions(db, events, cancellations, mails, this.copies),
        ...seriesActions(this.series),
        message: messageAction(messages),
        sharedPlaces: sharedPlacesAction(this.pools),
        ...eventPictureActions(events, images, this.galleries),
      },
      pages: { setUp: eventSetUpPage(this.setUps) },
      newPage: 'setUp',
      saved: ({ concerned, told, alteration }) => toldNotice(mails, Number(concerned), { isTold: told === true, alteration }),
      at: 'startsAt',
      hit: { details: ['subtitle', 'category', 'filled'], at: 'startsAt', state: 'published' },
      words: inEachLanguage((language) => ({
        ...words[language],
        values: { ...words[language].values, category: labels(eventCategories, language) },
      })),
    };
  }
}
