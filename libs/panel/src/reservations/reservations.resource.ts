import { paymentMethods } from '#payments';
import { cancelReasons, Reservation, ReservationOption, reservationStates, Ticket, referenceOf } from '#booking';
import type { ReservationStatus } from '#booking';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, PanelTone, RelatedItem, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  namedBy,
  searchProperty,
  entityReader,
  euros,
  recordHref,
  related,
  relatedProperty,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { answerColumns, answersProperty, answersView, asksSql } from '../questions/answers.reader.js';
import { boxOffice, BoxOfficeServices } from '../box-office/box-office.page.js';
import { correctionItems, correctionsProperty } from '../sales/email-correction.action.js';
import { mailItems } from '../mails/mail-items.js';
import { netPaid, paymentItems, paymentsOf, refundsDue, sumDue } from '../payments/payments.reader.js';
import { reservationActions, ReservationServices } from './reservations.actions.js';
import { origins, words } from './reservations.words.js';
import { buyer, paidBy, salesWords, vatOf, vatRate } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';
import { ticketSheets } from './ticket-sheets.js';
import { holder, ticketStanding, ticketTones } from '../tickets/tickets.resource.js';
import { ticketStandings } from '../tickets/tickets.words.js';

const tones = {
  C: 'bad',
  R: 'quiet',
  U: 'waiting',
  F: 'waiting',
  FA: 'info',
  P: 'info',
  PE: 'waiting',
  PN: 'waiting',
  V: 'good',
} as const satisfies Record<ReservationStatus, PanelTone>;

interface TicketRow {
  id: string;
  holder: string;
  standing: keyof typeof ticketStandings;
  price: string;
  amount: string;
}

async function ticketsOf(db: TenantDb, reservationId: string): Promise<RelatedItem[]> {
  const rows = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('ticket.id', 'id')
      .addSelect(holder, 'holder')
      .addSelect(ticketStanding, 'standing')
      .addSelect('price.name', 'price')
      .addSelect('ticket.amount', 'amount')
      .from(Ticket, 'ticket')
      .innerJoin('ticket.reservation', 'reservation')
      .innerJoin('ticket.price', 'price')
      .where('ticket.reservationId = :reservationId', { reservationId })
      .orderBy('holder', 'ASC')
      .addOrderBy('ticket.position', 'ASC')
      .limit(500)
      .getRawMany<TicketRow>(),
  );
  const { language } = currentPanelRequest();
  return rows.map((row) => ({
    title: row.holder,
    href: recordHref('tickets', row.id),
    details: `${row.price} · ${euros(row.amount, language)}`,
    badge: { text: ticketStandings[row.standing][language], tone: ticketTones[row.standing] },
  }));
}

async function optionsOf(db: TenantDb, reservationId: string): Promise<RelatedItem[]> {
  const options = await db.transaction((tx) =>
    tx.find(ReservationOption, { where: { reservationId }, order: { name: 'ASC' } }),
  );
  return options.map(({ name }) => ({ title: name }));
}

const live = `ticket.reservation_id = reservation.id and ticket.status <> 'R'`;

/** Who booked what, and the box office. */
@PanelResource({ panels: 'tenant', position: 30, modules: 'ticketing' })
export class ReservationsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: ReservationServices,
    private readonly sales: BoxOfficeServices,
  ) {}

  entry(): PanelEntry {
    const { db, services, sales } = this;
    const plain = entityReader({
      open: (work) => db.transaction(work),
      entity: Reservation,
      alias: 'reservation',
      joins: (query) => query.innerJoin('reservation.event', 'event'),
      columns: {
        id: 'reservation.id',
        name: buyer,
        email: `nullif(reservation.email, '')`,
        status: 'reservation.status',
        eventId: 'reservation.eventId',
        event: 'event.name',
        startsAt: 'event.startsAt',
        ticketsCount: `(select count(*)::int from ticket where ${live})`,
        total: `(select coalesce(sum(ticket.amount), 0.00) from ticket where ${live})`,
        paid: netPaid('reservation_id = reservation.id'),
        due: sumDue('reservation_id = reservation.id'),
        refundsDue: refundsDue('reservation_id = reservation.id'),
        origin: 'reservation.origin',
        expiresAt: 'reservation.expiresAt',
        confirmedAt: 'reservation.confirmedAt',
        cancelledAt: 'reservation.cancelledAt',
        cancelReason: 'reservation.cancelReason',
        createdAt: 'reservation.createdAt',
        method: paidBy('reservation_id = reservation.id'),
        vat: `(select coalesce(sum(${vatOf('ticket.amount', vatRate('ticket'))}), 0.00) from ticket join price on price.id = ticket.price_id where ${live})`,
        byUserId: 'reservation.byUserId',
        byKeyId: 'reservation.byKeyId',
        asks: asksSql.reservation,
      },
      searched: {
        own: ['reservation.search_text'],
        ids: ['reservation.id'],
        around: [namedBy('reservation.event_id', 'event')],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'reservations',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        searchProperty,
        { name: 'name', type: 'string', isTitle: true },
        { name: 'email', type: 'email' },
        { name: 'status', type: 'string', availableValues: Object.keys(reservationStates), tones },
        { name: 'eventId', type: 'reference', reference: 'events' },
        { name: 'ticketsCount', type: 'number', sortable: false, filterable: false },
        { name: 'total', type: 'decimal', sortable: false, filterable: false },
        { name: 'paid', type: 'decimal', sortable: false, filterable: false },
        { name: 'origin', type: 'string', availableValues: Object.keys(origins) },
        { name: 'expiresAt', type: 'datetime' },
        { name: 'confirmedAt', type: 'datetime' },
        { name: 'cancelledAt', type: 'datetime' },
        { name: 'cancelReason', type: 'string', availableValues: Object.keys(cancelReasons) },
        { name: 'createdAt', type: 'datetime' },
        relatedProperty('tickets'),
        relatedProperty('payments'),
        relatedProperty('options'),
        answersProperty,
        relatedProperty('mails'),
        correctionsProperty,
      ],
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        return {
          ...row,
          tickets: related(await ticketsOf(db, id)),
          payments: related(paymentItems(await paymentsOf(db, { reservationId: id }))),
          options: related(await optionsOf(db, id)),
          answers: await answersView(db, 'reservation', id),
          mails: related(await mailItems(db, { reservationId: id })),
          emailCorrections: await correctionItems(db, { reservationId: id }),
        };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'BookOpen',
      list: ['name', 'status', 'eventId', 'ticketsCount', 'total', 'createdAt'],
      show: [
        'status',
        'eventId',
        'email',
        'total',
        'tickets',
        'payments',
        'options',
        'answers',
        'mails',
        'emailCorrections',
        'origin',
        'createdAt',
        'expiresAt',
        'confirmedAt',
        'cancelledAt',
        'cancelReason',
        'id',
      ],
      filter: ['search', 'name', 'email', 'status', 'eventId', 'origin', 'createdAt'],
      sort: { by: 'createdAt', direction: 'desc' },
      exports: [
        { name: 'name', type: 'text' },
        { name: 'email', type: 'text' },
        { name: 'status', type: 'word' },
        { name: 'event', type: 'text' },
        { name: 'startsAt', type: 'datetime' },
        { name: 'ticketsCount', type: 'number' },
        { name: 'total', type: 'money' },
        { name: 'paid', type: 'money' },
        { name: 'origin', type: 'word' },
        { name: 'createdAt', type: 'datetime' },
        { name: 'confirmedAt', type: 'datetime' },
        { name: 'cancelledAt', type: 'datetime' },
        { name: 'cancelReason', type: 'word' },
        { name: 'vat', type: 'money' },
        { name: 'method', type: 'word' },
        { name: 'seller', type: 'text' },
        { name: 'due', type: 'money' },
        { name: 'id', type: 'text' },
      ],
      hit: {
        details: ['event', 'email'],
        at: 'startsAt',
        state: 'status',
        reference: { column: 'id', printed: referenceOf },
      },
      extraExports: answerColumns(db, 'reservation'),
      actions: reservationActions(db, services),
      prints: ticketSheets(services.documents),
      pages: { sell: boxOffice(sales) },
      words: inBoth((language) => ({
        ...words[language],
        properties: { ...salesWords[language], ...words[language].properties },
        values: {
          status: labels(reservationStates, language),
          method: labels(paymentMethods, language),
          origin: labels(origins, language),
          cancelReason: labels(cancelReasons, language),
        },
      })),
    };
  }
}
