import { Event, eventEndSql, eventIsOverSql, takesVolunteersSql } from '#catalogue';
import { ScanLogEntry, ScanningDevice } from '#scan';
import { databaseNow, venueDayStartSql, type Settings } from '#kernel';
import { Membership } from '#memberships';
import { isOversight, type UnbookableEventsService } from '#selling';
import { fullSql, Reservation, Ticket } from '#tickets';
import { currentTenant, hasModule, tenantUrl, type TenantDb, type Tx } from '#tenancy';
import type { StartPageEvent, StartPageScan, StartPageView } from './start-page.js';
import { mailTrouble } from '../mails/mail-trouble.reader.js';
import { refundsToGive } from '../refunds/refunds-due.reader.js';
import { currentGrant, currentPanelRequest, mayNow, recordHref } from '#panel-kit';
import { readOwnStartPage } from './own-events.reader.js';
import { unbookableNote } from '../forms/unbookable.js';
import { filledSql, sharedLeftText } from '../series/filled.js';
import { sellHref } from '../box-office/box-office.links.js';
import { doorHref } from '../door-page/door.links.js';
import { holder } from '../tickets/tickets.resource.js';
import { walletTrouble } from '../wallets/wallet-trouble.reader.js';
import { takingsOf } from './takings.reader.js';
import { webhookTrouble } from '../webhooks/webhook-trouble.reader.js';
import { welcomePath } from '../welcome/welcome.path.js';
import { welcomeProgress, type WelcomeServices } from '../welcome/welcome.reader.js';

const startOfDay = venueDayStartSql(':zone');
const endOfDay = venueDayStartSql(':zone', 1);

interface EventRow {
  id: string;
  name: string;
  startsAt: Date;
  endsAt: Date | null;
  overAt: Date;
  place: string | null;
  capacity: number;
  sold: number;
  sharedLeft: number | null;
  admitted: number;
  inside: number;
  isOnSale: boolean;
}

const toEvent = ({ startsAt, endsAt, overAt, isOnSale, sharedLeft, ...row }: EventRow): StartPageEvent => ({
  ...row,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt?.toISOString() ?? null,
  overAt: overAt.toISOString(),
  sharedLeft: sharedLeftText({ sharedLeft }),
  href: recordHref('events', row.id),
  ...(isOnSale && hasModule('ticketing') && { sellHref: sellHref(row.id) }),
  ...(hasModule('scanning') && { doorHref: doorHref(row.id) }),
});

const count = (states: string, condition = ''): string =>
  `(select count(*)::int from ticket where ticket.event_id = event.id and ticket.admission and ticket.status in (${states}) ${condition})`;

/** SQL: whether the box office can sell an event: it is published, not over, not full, and has products or takes volunteers. */
const onSale = (settings: Settings): string => `(event.published and not ${eventIsOverSql('event', settings)} and not ${fullSql('event')}
  and (${takesVolunteersSql('event')} or exists (select 1 from event_product where event_product.event_id = event.id)))`;

/** The first events between two moments (SQL expressions). */
async function eventsBetween(tx: Tx, settings: Settings, from: string, to: string, limit: number): Promise<StartPageEvent[]> {
  const rows = await tx
    .createQueryBuilder()
    .select('event.id', 'id')
    .addSelect('event.name', 'name')
    .addSelect('event.startsAt', 'startsAt')
    .addSelect('event.endsAt', 'endsAt')
    .addSelect(eventEndSql('event', settings), 'overAt')
    .addSelect(`coalesce(place.name, place.street_address || ', ' || place.address_locality)`, 'place')
    .addSelect('event.capacity', 'capacity')
    .addSelect(count(`'K', 'S'`), 'sold')
    .addSelect(count(`'S'`), 'admitted')
    .addSelect(count(`'S'`, 'and ticket.left_at is null'), 'inside')
    .addSelect(filledSql.sharedLeft, 'sharedLeft')
    .addSelect(onSale(settings), 'isOnSale')
    .from(Event, 'event')
    .leftJoin('event.postalAddress', 'place')
    .where(`${eventEndSql('event', settings)} >= ${from} and event.starts_at < ${to}`)
    .setParameters({ zone: currentTenant().timeZone })
    .orderBy('event.startsAt', 'ASC')
    .addOrderBy('event.id', 'ASC')
    .limit(limit)
    .getRawMany<EventRow>();
  return rows.map(toEvent);
}

const member = `coalesce(nullif(trim(concat_ws(' ', card.first_name, card.last_name)), ''), card.email)`;

async function lastScans(tx: Tx): Promise<StartPageScan[]> {
  const rows = await tx
    .createQueryBuilder()
    .select('log.id', 'id')
    .addSelect('log.recordedAt', 'at')
    .addSelect('log.outcome', 'outcome')
    .addSelect('log.ticketId', 'ticketId')
    .addSelect('log.membershipId', 'membershipId')
    .addSelect(`case when ticket.id is not null then ${holder} when card.id is not null then ${member} end`, 'who')
    .addSelect('event.name', 'event')
    .addSelect('device.name', 'device')
    .from(ScanLogEntry, 'log')
    .leftJoin(Ticket, 'ticket', 'ticket.id = log.ticketId')
    .leftJoin(Reservation, 'reservation', 'reservation.id = ticket.reservationId')
    .leftJoin(Membership, 'card', 'card.id = log.membershipId')
    .leftJoin(Event, 'event', 'event.id = log.eventId')
    .leftJoin(ScanningDevice, 'device', 'device.id = log.deviceId')
    .where(`log.action <> 'check'`)
    .orderBy('log.recordedAt', 'DESC')
    .addOrderBy('log.id', 'DESC')
    .limit(10)
    .getRawMany<Omit<StartPageScan, 'at'> & { at: Date; ticketId: string | null; membershipId: string | null }>();
  return rows.map(({ at, ticketId, membershipId, ...row }) => ({
    ...row,
    at: at.toISOString(),
    ...(ticketId && row.who && { href: recordHref('tickets', ticketId) }),
    ...(membershipId && row.who && { href: recordHref('memberships', membershipId) }),
  }));
}

/** Refused scans since 04:00, counted among the last few thousand attempts, which is more than one evening has. */
async function refusals(tx: Tx): Promise<number> {
  const recent = tx
    .createQueryBuilder()
    .select('log.recordedAt', 'at')
    .addSelect('log.outcome', 'outcome')
    .from(ScanLogEntry, 'log')
    .where(`log.action = 'scan'`)
    .orderBy('log.recordedAt', 'DESC')
    .addOrderBy('log.id', 'DESC')
    .limit(5000);
  const row = await tx
    .createQueryBuilder()
    .select('count(*)::int', 'refused')
    .from(`(${recent.getQuery()})`, 'recent')
    .where(`recent.outcome <> 'accepted' and recent.at >= ${startOfDay}`, { zone: currentTenant().timeZone })
    .getRawOne<{ refused: number }>();
  return row?.refused ?? 0;
}

/** Data of the start page: today's events and scans; for tenants without scanning, the upcoming events. */
export async function readStartPage(db: TenantDb, settings: Settings, welcome: WelcomeServices): Promise<StartPageView> {
  const grant = currentGrant();
  if (grant.scope.kind !== 'all') return readOwnStartPage(db, settings, grant);
  const steps = (await welcomeProgress(welcome)) ?? [];
  const done = steps.filter(({ isDone }) => isDone).length;
  const scanning = hasModule('scanning');
  const sells = hasModule('membership', 'ticketing');
  const view = await db.transaction(async (tx): Promise<StartPageView> => {
    const today = hasModule('events') ? await eventsBetween(tx, settings, startOfDay, endOfDay, 20) : [];
    const events = hasModule('ticketing') && mayNow('money.see') ? await withTakings(tx, today) : today;
    const wanted = scanning ? 1 : 10;
    const coming =
      hasModule('events') && (events.length === 0 || !scanning) ? await eventsBetween(tx, settings, endOfDay, `'infinity'`, wanted) : [];
    return {
      kind: 'tonight',
      own: null,
      welcome: done < steps.length ? { done, steps: steps.length, href: welcomePath } : null,
      stepsHref: welcomePath,
      now: databaseNow().toISOString(),
      events,
      next: coming[0] ?? null,
      upcoming: scanning ? null : coming,
      scans: scanning ? await lastScans(tx) : null,
      refused: scanning ? await refusals(tx) : 0,
      publicHref: tenantUrl(settings, currentTenant(), '/'),
      sellHref: hasModule('ticketing') ? sellHref() : null,
      mail: sells ? await mailTrouble(tx, settings) : null,
      refunds: sells ? await refundsToGive(tx) : null,
      wallet: hasModule('ticketing') ? await walletTrouble(tx) : null,
      webhooks: hasModule('events') ? await webhookTrouble(tx) : [],
    };
  });
  return withReasons(view, welcome.unbookable);
}

async function withTakings(tx: Tx, events: readonly StartPageEvent[]): Promise<StartPageEvent[]> {
  const takings = await takingsOf(
    tx,
    events.map(({ id }) => id),
  );
  return events.map((event) => {
    const taken = takings.get(event.id);
    return taken ? { ...event, takings: taken } : event;
  });
}

/** Says why visitors cannot book an event, where somebody can mend that. */
async function withReasons(view: StartPageView, unbookable: UnbookableEventsService): Promise<StartPageView> {
  const shown = [...view.events, ...(view.next ? [view.next] : [])];
  const reasons = await unbookable.reasons(shown.map(({ id }) => id));
  const withReason = (event: StartPageEvent): StartPageEvent => {
    const reason = reasons.get(event.id);
    if (reason === undefined || !isOversight(reason)) return event;
    return { ...event, unbookable: unbookableNote(event.id, reason, currentPanelRequest().language) };
  };
  return { ...view, events: view.events.map(withReason), next: view.next && withReason(view.next) };
}
