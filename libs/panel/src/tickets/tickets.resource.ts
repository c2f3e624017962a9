import { paymentMethods } from '#payments';
import { referenceOf } from '#notices';
import { Ticket, soldVatRateSql, ticketVatSql } from '#tickets';
import { ScanLogEntry, ScanningDevice } from '#scan';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb } from '#tenancy';
import { Inject } from '@nestjs/common';
import type { PanelEntry, PanelRow, PanelSource, PanelTone, RelatedItem, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  panelWords,
  namedBy,
  searchProperty,
  shownCode,
  entityReader,
  recordHref,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { answerColumns, answersProperty, answersView } from '../questions/answers.reader.js';
import { outcomeTones, scanActions, shownOutcome, type ShownOutcome } from './outcomes.js';
import { buyer, paidBy, salesWords } from '../sales/sales-columns.js';
import { withSellers } from '../sales/sellers.reader.js';
import { staffNames } from '../users/staff.reader.js';
import { ticketActions, TicketServices } from './tickets.actions.js';
import { ticketStandings, words } from './tickets.words.js';
import { givenTo, offeredToSomebody, transfersOf, transfersProperty } from './transfers.reader.js';

export const ticketTones = {
  C: 'quiet',
  N: 'waiting',
  K: 'good',
  S: 'info',
  R: 'bad',
  due: 'waiting',
  done: 'info',
} as const satisfies Record<keyof typeof ticketStandings, PanelTone>;

/** SQL: the state of a row `ticket` for staff. */
export const ticketStanding = `case when ticket.admission or ticket.status <> 'K' then ticket.status
  when ticket.fulfilled_at is null then 'due' else 'done' end`;

/** SQL: the name on a row `ticket`, otherwise the buyer's of the row `reservation`. */
export const holder = `coalesce(nullif(trim(concat_ws(' ', ticket.first_name, ticket.last_name)), ''), ${buyer})`;

interface LogLine {
  id: string;
  at: Date;
  action: keyof typeof scanActions;
  outcome: ShownOutcome;
  device: string | null;
  /** The member of staff; null when a device scanned. */
  userId: string | null;
  reason: string | null;
}

/** The log of a ticket's scans, newest first. */
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
  const staff = await staffNames(
    db,
    lines.map(({ userId }) => userId),
  );
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

/** The tenant's tickets. */
@PanelResource({ panels: 'tenant', position: 40, modules: 'ticketing' })
export class TicketsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: TicketServices,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const rate = soldVatRateSql('ticket');
    const declared = declareProperties(
      {
        holder: { isTitle: true, list: true, filter: true, export: true, sql: holder },
        eventId: { reference: 'events', list: true, show: true, filter: true },
        email: { hidden: true, export: true, sql: `nullif(reservation.email, '')` },
        status: {
          availableValues: Object.keys(ticketStandings),
          tones: ticketTones,
          list: 2,
          show: 1,
          filter: 3,
          export: true,
          sql: ticketStanding,
        },
        event: { hidden: true, export: true, sql: 'event.name' },
        startsAt: { type: 'datetime', hidden: true, export: true, sql: 'event.startsAt' },
        signingKeyId: { hidden: true },
        codeVersion: { hidden: true },
        holderEmail: { show: true, export: true },
        firstName: { hidden: true },
        lastName: { hidden: true },
        price: { list: true, show: true, export: true, sql: `concat_ws(' · ', product.name, price.name)` },
        amount: { show: true, export: true },
        vatRate: { type: 'number', hidden: true, export: true, sql: rate },
        vat: { type: 'decimal', hidden: true, export: true, sql: ticketVatSql },
        net: { type: 'decimal', hidden: true, export: true, sql: `ticket.amount - ${ticketVatSql}` },
        origin: { hidden: true, sql: 'reservation.origin' },
        byUserId: { hidden: true, sql: 'reservation.byUserId' },
        byKeyId: { hidden: true, sql: 'reservation.byKeyId' },
        method: { hidden: true, export: true, exportAs: 'word', sql: paidBy('reservation_id = reservation.id') },
        seller: { hidden: true, export: true },
        scannedAt: { list: true, show: true, filter: true, export: true },
        scannedBy: { reference: 'devices', show: true },
        admission: { show: true, filter: 5, export: true },
        fulfilledAt: { show: true, filter: true, export: true },
        withdrawnAt: { show: true, filter: true, export: true },
        fulfilledByName: { show: true },
        createdAt: { show: 14, export: true },
        qr: { type: 'mixed', components: { show: 'TicketQr' }, show: true },
        answers: { ...answersProperty, show: true },
        transfers: { ...transfersProperty, show: true },
        history: { ...relatedProperty('history'), show: true },
        reservationId: { reference: 'reservations', list: 5, show: 5, export: true },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Ticket, alias: 'ticket' },
    );

    const plain = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      joins: (query) =>
        query
          .innerJoin('ticket.reservation', 'reservation')
          .innerJoin('ticket.event', 'event')
          .innerJoin('ticket.price', 'price')
          .innerJoin('price.product', 'product'),
      where: 'not reservation.isDraft',
      searched: {
        own: ['ticket.search_text', 'reservation.search_text', givenTo],
        ids: ['ticket.id', 'ticket.reservation_id'],
        around: [namedBy('ticket.event_id', 'event'), offeredToSomebody],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const reader = withSellers(db, plain);
    const source: PanelSource = {
      id: 'tickets',
      properties: declared.properties,
      ...reader,
      search: plain.search,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        // Not for a cancelled ticket, whose code is invalid and should not be sent.
        const live = row['status'] !== 'R';
        const [signingKeyId, codeVersion] = [Number(row['signingKeyId']), Number(row['codeVersion'])];
        const text = live ? await services.tickets.codeOf({ id, signingKeyId, codeVersion }) : null;
        const qr = text && (await shownCode(text));
        const transfers = await transfersOf(db, { ticketId: id }, this.settings);
        // A cancelled ticket gives no entry.
        const shown: PanelRow = live ? row : { ...row, admission: null };
        return { ...shown, qr, transfers, answers: await answersView(db, 'ticket', id), history: related(await history(db, id)) };
      },
    };
    return {
      source,
      group: 'sales',
      icon: 'CreditCard',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      hit: {
        details: ['event', 'price', 'email'],
        at: 'startsAt',
        state: 'status',
        reference: { column: 'reservationId', printed: referenceOf },
      },
      extraExports: answerColumns(db, 'ticket'),
      actions: ticketActions(reader.findOne, services),
      words: inEachLanguage((language) => ({
        ...words[language],
        properties: { ...salesWords[language], ...words[language].properties },
        values: { status: labels(ticketStandings, language), method: labels(paymentMethods, language) },
      })),
    };
  }
}
