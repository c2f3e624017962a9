import { paymentMethods } from '#payments';
import { Ticket, referenceOf } from '#booking';
import { ScanLogEntry, ScanningDevice } from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelTone, RelatedItem, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  panelWords,
  namedBy,
  searchProperty,
  qrPicture,
  entityReader,
  recordHref,
  related,
  relatedProperty,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { answerColumns, answersProperty, answersView } from '../questions/answers.reader.js';
import { outcomeTones, scanActions, shownOutcome, type ShownOutcome } from './outcomes.js';
import { buyer, netOf, paidBy, salesWords, vatOf, vatRate } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';
import { staffNames } from '../users/staff.reader.js';
import { ticketActions, TicketServices } from './tickets.actions.js';
import { ticketStandings, words } from './tickets.words.js';

export const ticketTones = {
  C: 'quiet',
  N: 'waiting',
  K: 'good',
  S: 'info',
  R: 'bad',
  due: 'waiting',
  done: 'info',
} as const satisfies Record<keyof typeof ticketStandings, PanelTone>;

/** SQL of the standing of a ticket `ticket`. */
export const ticketStanding = `case when ticket.admission or ticket.status <> 'K' then ticket.status
  when ticket.fulfilled_at is null then 'due' else 'done' end`;

/** SQL of the name on a ticket `ticket`, or of who booked it as `reservation`. */
export const holder = `coalesce(nullif(trim(concat_ws(' ', ticket.first_name, ticket.last_name)), ''), ${buyer})`;

interface LogLine {
  id: string;
  at: Date;
  action: keyof typeof scanActions;
  outcome: ShownOutcome;
  device: string | null;
  /** The member of staff, when it was no device. */
  userId: string | null;
  reason: string | null;
}

/** What happened to a ticket at the doors, newest first. */
async function history(db: TenantDb, ticketId: string): Promise<RelatedItem[]> {
  const lines = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('log.id', 'id')
      .addSelect('log.recordedAt', 'at')
      .addSelect('log.action', 'action')
      .addSelect(shownOutcome, 'outcome')
      .addSelect('log.reason', 'reason')
      .addSelect('device.name', 'device')
      .addSelect('log.userId', 'userId')
      .from(ScanLogEntry, 'log')
      .leftJoin(ScanningDevice, 'device', 'device.id = log.deviceId')
      .where('log.ticketId = :ticketId', { ticketId })
      .orderBy('log.recordedAt', 'DESC')
      .addOrderBy('log.id', 'DESC')
      .limit(50)
      .getRawMany<LogLine>(),
  );
  const staff = await staffNames(db, lines.map(({ userId }) => userId)); // prettier-ignore
  const { language } = currentPanelRequest();
  const words = panelWords(language).components.Outcome;
  return lines.map(({ id, at, action, outcome, device, userId, reason }) => ({
    title: scanActions[action][language],
    href: recordHref('scan-log', id),
    at: at.toISOString(),
    details: [device ?? staff.get(userId), reason].filter(Boolean).join(' · '),
    badge: { text: words[outcome], tone: outcomeTones[outcome] },
  }));
}

/** Tickets, for whoever looks one up at the door, and what can be done with one. */
@PanelResource({ panels: 'tenant', position: 40, modules: 'ticketing' })
export class TicketsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: TicketServices,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const rate = vatRate('ticket');
    const plain = entityReader({
      open: (work) => db.transaction(work),
      entity: Ticket,
      alias: 'ticket',
      joins: (query) =>
        query
          .innerJoin('ticket.reservation', 'reservation')
          .innerJoin('ticket.event', 'event')
          .innerJoin('ticket.price', 'price')
          .innerJoin('price.product', 'product'),
      columns: {
        id: 'ticket.id',
        holder,
        email: `nullif(reservation.email, '')`,
        eventId: 'ticket.eventId',
        event: 'event.name',
        startsAt: 'event.startsAt',
        status: ticketStanding,
        price: `concat_ws(' · ', product.name, price.name)`,
        amount: 'ticket.amount',
        reservationId: 'ticket.reservationId',
        scannedAt: 'ticket.scannedAt',
        scannedBy: 'ticket.scannedBy',
        admission: 'ticket.admission',
        fulfilledAt: 'ticket.fulfilledAt',
        fulfilledByName: 'ticket.fulfilledByName',
        createdAt: 'ticket.createdAt',
        signingKeyId: 'ticket.signingKeyId',
        firstName: 'ticket.firstName',
        lastName: 'ticket.lastName',
        method: paidBy('reservation_id = reservation.id'),
        vatRate: rate,
        vat: vatOf('ticket.amount', rate),
        net: netOf('ticket.amount', rate),
        origin: 'reservation.origin',
        byUserId: 'reservation.byUserId',
        byKeyId: 'reservation.byKeyId',
      },
      searched: {
        own: ['ticket.search_text', 'reservation.search_text'],
        ids: ['ticket.id', 'ticket.reservation_id'],
        around: [namedBy('ticket.event_id', 'event')],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'tickets',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        searchProperty,
        { name: 'holder', type: 'string', isTitle: true },
        { name: 'eventId', type: 'reference', reference: 'events' },
        { name: 'status', type: 'string', availableValues: Object.keys(ticketStandings), tones: ticketTones },
        { name: 'price', type: 'string' },
        { name: 'amount', type: 'decimal' },
        { name: 'reservationId', type: 'reference', reference: 'reservations' },
        { name: 'scannedAt', type: 'datetime', hidesEmpty: true },
        { name: 'scannedBy', type: 'reference', reference: 'devices', hidesEmpty: true },
        { name: 'admission', type: 'boolean' },
        { name: 'fulfilledAt', type: 'datetime', hidesEmpty: true },
        { name: 'fulfilledByName', type: 'string', hidesEmpty: true },
        { name: 'createdAt', type: 'datetime' },
        { name: 'qr', type: 'mixed', components: { show: 'TicketQr' } },
        answersProperty,
        relatedProperty('history'),
      ],
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        // A cancelled ticket's code opens nothing: nobody should send it to anybody.
        const live = row['status'] !== 'R';
        const text = live ? await services.tickets.codeOf({ id, signingKeyId: Number(row['signingKeyId']) }) : null;
        const qr = text && { text, picture: await qrPicture(text) };
        return { ...row, qr, answers: await answersView(db, 'ticket', id), history: related(await history(db, id)) };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'CreditCard',
      list: ['holder', 'status', 'eventId', 'price', 'reservationId', 'scannedAt'],
      show: [
        'status',
        'eventId',
        'price',
        'amount',
        'reservationId',
        'scannedAt',
        'scannedBy',
        'admission',
        'fulfilledAt',
        'fulfilledByName',
        'qr',
        'answers',
        'history',
        'createdAt',
        'id',
      ],
      filter: ['search', 'holder', 'status', 'eventId', 'admission', 'scannedAt', 'fulfilledAt'],
      sort: { by: 'createdAt', direction: 'desc' },
      exports: [
        { name: 'holder', type: 'text' },
        { name: 'email', type: 'text' },
        { name: 'status', type: 'word' },
        { name: 'event', type: 'text' },
        { name: 'startsAt', type: 'datetime' },
        { name: 'price', type: 'text' },
        { name: 'amount', type: 'money' },
        { name: 'vatRate', type: 'number' },
        { name: 'vat', type: 'money' },
        { name: 'net', type: 'money' },
        { name: 'method', type: 'word' },
        { name: 'seller', type: 'text' },
        { name: 'scannedAt', type: 'datetime' },
        { name: 'admission', type: 'word' },
        { name: 'fulfilledAt', type: 'datetime' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'reservationId', type: 'text' },
        { name: 'id', type: 'text' },
      ],
      hit: {
        details: ['event', 'price', 'email'],
        at: 'startsAt',
        state: 'status',
        reference: { column: 'reservationId', printed: referenceOf },
      },
      extraExports: answerColumns(db, 'ticket'),
      actions: ticketActions(reader.findOne, services),
      words: inBoth((language) => ({
        ...words[language],
        properties: { ...salesWords[language], ...words[language].properties },
        values: { status: labels(ticketStandings, language), method: labels(paymentMethods, language) },
      })),
    };
  }
}
