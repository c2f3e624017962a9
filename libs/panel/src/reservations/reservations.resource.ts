import { paymentMethods, PaymentProviders } from '#payments';
import { referenceOf } from '#notices';
import { cancelReasons, Reservation, ReservationOption, reservationStates, reservationVatSql, Ticket } from '#tickets';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb } from '#tenancy';
import { Inject } from '@nestjs/common';
import type { PanelEntry, PanelSource, RelatedItem, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  namedBy,
  searchProperty,
  entityReader,
  euros,
  recordHref,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { answerColumns, answersProperty, answersView, hasQuestionsSql } from '../questions/answers.reader.js';
import { boxOffice } from '../box-office/box-office.page.js';
import { BoxOfficeServices } from '../box-office/box-office.services.js';
import { correctionItems, correctionsProperty } from '../sales/email-correction.action.js';
import { mailItems } from '../mails/mail-items.js';
import { netPaid, paymentItems, paymentsOf, refundsDue, sumDue } from '../payments/payments.reader.js';
import { reservationActions, ReservationServices } from './reservations.actions.js';
import { origins, words } from './reservations.words.js';
import { buyer, paidBy, salesWords } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';
import { givenToSomebody, transfersOf, transfersProperty } from '../tickets/transfers.reader.js';
import { ticketSheets } from './ticket-sheets.js';
import { orderItems } from './whole-order.js';
import { tones } from './reservation-tones.js';
import { holder, ticketStanding, ticketTones } from '../tickets/tickets.resource.js';
import { ticketStandings } from '../tickets/tickets.words.js';

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
  const options = await db.transaction((tx) => tx.find(ReservationOption, { where: { reservationId }, order: { name: 'ASC' } }));
  return options.map(({ name }) => ({ title: name }));
}

const live = `ticket.reservation_id = reservation.id and ticket.status <> 'R'`;

/** The tenant's reservations, and the box office. */
@PanelResource({ panels: 'tenant', position: 30, modules: 'ticketing' })
export class ReservationsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: ReservationServices,
    private readonly sales: BoxOfficeServices,
    private readonly providers: PaymentProviders,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, services, sales } = this;
    const declared = declareProperties(
      {
        name: { isTitle: true, list: true, filter: true, export: true, sql: buyer },
        email: { type: 'email', show: 3, filter: true, export: true, sql: `nullif(reservation.email, '')` },
        guestLink: { sort: false, components: { show: 'CopyText' }, show: 4 },
        status: {
          availableValues: Object.keys(reservationStates),
          tones,
          list: true,
          show: true,
          filter: true,
          export: true,
        },
        eventId: { reference: 'events', list: true, show: true, filter: true },
        event: { hidden: true, export: true, sql: 'event.name' },
        startsAt: { type: 'datetime', hidden: true, export: true, sql: 'event.startsAt' },
        ticketsCount: {
          type: 'number',
          sort: false,
          list: true,
          export: true,
          filter: false,
          sql: `(select count(*)::int from ticket where ${live})`,
        },
        total: {
          type: 'decimal',
          sort: false,
          list: true,
          show: true,
          export: true,
          filter: false,
          sql: `(select coalesce(sum(ticket.amount), 0.00) from ticket where ${live})`,
        },
        customerId: {
          reference: 'customers',
          sort: false,
          filter: false,
          show: true,
          sql: `(select sold.customer_id from orders sold
            where sold.id = (select order_id from order_line where reservation_id = reservation.id limit 1))`,
        },
        billable: {
          type: 'boolean',
          hidden: true,
          sql: `(reservation.status in ('R', 'U') and exists (select from customer where not disabled))`,
        },
        paid: {
          type: 'decimal',
          sort: false,
          export: true,
          filter: false,
          sql: netPaid('reservation_id = reservation.id'),
        },
        atVenue: {
          type: 'decimal',
          show: true,
          filter: false,
          sql: `case when reservation.status = 'R' and reservation.pay_at_venue and reservation.pay_until is null
            then (select coalesce(sum(ticket.amount), 0.00) from ticket where ${live}) end`,
        },
        origin: { availableValues: Object.keys(origins), show: 11, filter: true, export: true },
        expiresAt: { show: 13 },
        createdAt: { list: true, show: 12, filter: true, export: true },
        tickets: { ...relatedProperty('tickets'), show: true },
        order: { ...relatedProperty('order'), show: true },
        payments: { ...relatedProperty('payments'), show: true },
        options: { ...relatedProperty('options'), show: true },
        answers: { ...answersProperty, show: true },
        transfers: { ...transfersProperty, show: true },
        mails: { ...relatedProperty('mails'), show: true },
        emailCorrections: { ...correctionsProperty, show: true },
        confirmedAt: { show: true, export: true },
        cancelledAt: { show: true, export: true },
        cancelReason: { availableValues: Object.keys(cancelReasons), show: true, export: true },
        vat: {
          type: 'decimal',
          hidden: true,
          export: true,
          sql: reservationVatSql,
        },
        byUserId: { hidden: true },
        byKeyId: { hidden: true },
        asks: { hidden: true, sql: hasQuestionsSql.reservation },
        method: { hidden: true, export: true, exportAs: 'word', sql: paidBy('reservation_id = reservation.id') },
        seller: { hidden: true, export: true },
        due: { type: 'decimal', hidden: true, export: true, sql: sumDue('reservation_id = reservation.id') },
        refundsDue: { hidden: true, sql: refundsDue('reservation_id = reservation.id') },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Reservation, alias: 'reservation' },
    );

    const plain = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      joins: (query) => query.innerJoin('reservation.event', 'event'),
      // What a buyer is still choosing on the public pages is no booking yet.
      where: 'not reservation.isDraft',
      searched: {
        own: ['reservation.search_text'],
        ids: ['reservation.id'],
        around: [namedBy('reservation.event_id', 'event'), givenToSomebody],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'reservations',
      properties: declared.properties,
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        return {
          ...row,
          tickets: related(await ticketsOf(db, id)),
          order: related(orderItems(id, await this.orderOf(id))),
          payments: related(paymentItems(await paymentsOf(db, { reservationId: id }), this.providers)),
          options: related(await optionsOf(db, id)),
          answers: await answersView(db, 'reservation', id),
          transfers: await transfersOf(db, { reservationId: id }, this.settings),
          guestLink: await this.guestLink(id),
          mails: related(await mailItems(db, { reservationId: id })),
          emailCorrections: await correctionItems(db, { reservationId: id }),
        };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'BookOpen',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
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
      words: inEachLanguage((language) => ({
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

  private async orderOf(id: string): ReturnType<ReservationServices['orders']['of']> {
    const found = await this.services.reservations.find(id);
    return found && this.services.orders.of(found);
  }

  /** The page of the guest, whom no mail tells it; null where mails are sent. */
  private async guestLink(id: string): Promise<string | null> {
    const { mails, reservations, links } = this.services;
    if (mails.deliver) return null;
    const found = await reservations.find(id);
    return found?.email && found.status !== 'C' ? links.urlTo({ reservationId: id }, found.linkVersion) : null;
  }
}
