import { Reservation, reservationStates, Ticket, ticketStates } from '#booking';
import type { ReservationStatus, TicketStatus } from '#booking';
import type { TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import { currentPanelRequest } from '../panel-request.js';
import type { PanelSource, PanelTone } from '../panel-source.js';
import { entityReader } from './entity-reader.js';
import { euros, recordHref, related, relatedProperty } from './related.js';
import type { RelatedItem } from './related.js';
import { inBoth, labels } from './resource-words.js';
import { holder, ticketTones } from './tickets.resource.js';

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

async function ticketsOf(db: TenantDb, reservationId: string): Promise<RelatedItem[]> {
  const rows = await db.transaction((tx) =>
    tx
      .createQueryBuilder()
      .select('ticket.id', 'id')
      .addSelect(holder, 'holder')
      .addSelect('ticket.status', 'status')
      .addSelect('price.name', 'price')
      .addSelect('ticket.amount', 'amount')
      .from(Ticket, 'ticket')
      .innerJoin('ticket.reservation', 'reservation')
      .innerJoin('ticket.price', 'price')
      .where('ticket.reservationId = :reservationId', { reservationId })
      .orderBy('holder', 'ASC')
      .addOrderBy('ticket.id', 'ASC')
      .limit(500)
      .getRawMany<{ id: string; holder: string; status: TicketStatus; price: string; amount: string }>(),
  );
  const { language } = currentPanelRequest();
  return rows.map(({ id, status, price, amount, ...row }) => ({
    title: row.holder,
    href: recordHref('tickets', id),
    details: `${price} · ${euros(amount, language)}`,
    badge: { text: ticketStates[status][language], tone: ticketTones[status] },
  }));
}

/** Who booked what. Read only. */
export function reservationsResource(db: TenantDb): PanelEntry {
  const reader = entityReader({
    open: (work) => db.transaction(work),
    entity: Reservation,
    alias: 'reservation',
    columns: {
      id: 'reservation.id',
      name: `coalesce(nullif(trim(concat_ws(' ', reservation.first_name, reservation.last_name)), ''), reservation.email)`,
      email: 'reservation.email',
      status: 'reservation.status',
      eventId: 'reservation.eventId',
      ticketsCount: `(select count(*)::int from ticket where ticket.reservation_id = reservation.id and ticket.status <> 'R')`,
      total: `(select coalesce(sum(ticket.amount), 0) from ticket where ticket.reservation_id = reservation.id and ticket.status <> 'R')`,
      createdAt: 'reservation.createdAt',
    },
    sort: { by: 'createdAt', direction: 'desc' },
  });
  const source: PanelSource = {
    id: 'reservations',
    properties: [
      { name: 'id', type: 'uuid', isId: true },
      { name: 'name', type: 'string', isTitle: true },
      { name: 'email', type: 'email' },
      { name: 'status', type: 'string', availableValues: Object.keys(reservationStates), tones },
      { name: 'eventId', type: 'reference', reference: 'events' },
      { name: 'ticketsCount', type: 'number', sortable: false, filterable: false },
      { name: 'total', type: 'decimal', sortable: false, filterable: false },
      { name: 'createdAt', type: 'datetime' },
      relatedProperty('tickets'),
    ],
    ...reader,
    findOne: async (id) => {
      const row = await reader.findOne(id);
      return row && { ...row, tickets: related(await ticketsOf(db, id)) };
    },
  };
  return {
    source,
    group: 'sales',
    icon: 'BookOpen',
    list: ['name', 'status', 'eventId', 'ticketsCount', 'total', 'createdAt'],
    show: ['status', 'eventId', 'email', 'total', 'tickets', 'createdAt', 'id'],
    filter: ['name', 'email', 'status', 'eventId', 'createdAt'],
    sort: { by: 'createdAt', direction: 'desc' },
    words: inBoth((language) => ({
      ...words[language],
      values: { status: labels(reservationStates, language) },
    })),
  };
}

const words = {
  en: {
    plural: 'Reservations',
    singular: 'Reservation',
    properties: {
      name: 'Name',
      email: 'E-mail',
      status: 'Status',
      eventId: 'Event',
      ticketsCount: 'Tickets',
      total: 'Total (€)',
      createdAt: 'Booked',
      tickets: 'Tickets',
      id: 'Identifier',
    },
  },
  fr: {
    plural: 'Réservations',
    singular: 'Réservation',
    properties: {
      name: 'Nom',
      email: 'E-mail',
      status: 'État',
      eventId: 'Événement',
      ticketsCount: 'Billets',
      total: 'Total (€)',
      createdAt: 'Réservé',
      tickets: 'Billets',
      id: 'Identifiant',
    },
  },
};
