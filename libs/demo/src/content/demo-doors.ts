import type { ScanLogEntry } from '#scan';
import type { Booking, House, StagedEvent, TicketRow } from './demo-bookings.js';
import { minute } from '../basics/demo-clock.js';
import type { DemoRandom } from '../basics/demo-random.js';

export type AttemptRow = Pick<
  ScanLogEntry,
  'recordedAt' | 'action' | 'outcome' | 'deviceId' | 'ticketId' | 'eventId' | 'deviceTime' | 'reason'
>;

/**
 * The scan log of an event until now: every accepted scan, and some refused attempts. One scan is undone: its ticket becomes valid again.
 * @param strangers tickets of other events that people present by mistake
 */
export function watchDoors(
  event: StagedEvent,
  bookings: readonly Booking[],
  strangers: readonly TicketRow[],
  house: House,
  random: DemoRandom,
): AttemptRow[] {
  const { now, deviceIds } = house;
  const [opened, closed] = event.doors;
  if (deviceIds.length === 0 || opened > now) return [];
  const attempts: AttemptRow[] = [];

  const log = (outcome: string, at: number, ticket?: TicketRow, rest: Partial<AttemptRow> = {}): void => {
    // Skips attempts in the future, and attempts before the ticket was booked.
    if (at > now.getTime() || (ticket && ticket.createdAt.getTime() > at)) return;
    attempts.push({
      recordedAt: new Date(Math.round(at)),
      action: 'scan',
      outcome,
      deviceId: random.pick(deviceIds),
      ticketId: ticket?.id ?? null,
      eventId: ticket?.eventId ?? null,
      deviceTime: new Date(Math.round(at) - random.whole(80, 900)),
      reason: null,
      ...rest,
    });
  };
  const sometime = (): number => {
    const until = Math.min(closed.getTime(), now.getTime());
    return opened.getTime() + random.next() * (until - opened.getTime());
  };
  const ticketsOf = (...statuses: readonly string[]): TicketRow[] =>
    bookings.filter(({ reservation }) => statuses.includes(reservation.status)).flatMap(({ tickets }) => tickets);

  const scanned = bookings.flatMap(({ tickets }) => tickets).filter(({ status }) => status === 'S');
  for (const ticket of scanned) log('accepted', timeOf(ticket), ticket, { deviceId: ticket.scannedBy });
  for (const ticket of random.sample(scanned, Math.ceil(scanned.length * 0.04))) {
    log('already_scanned', timeOf(ticket) + random.whole(20_000, 9 * minute), ticket);
  }
  for (const ticket of random.sample(scanned, 2)) log('accepted', timeOf(ticket) - 9000, ticket, { action: 'check' });
  for (const ticket of random.sample(ticketsOf('C'), 2)) log('cancelled', sometime(), ticket);
  for (const ticket of random.sample(ticketsOf('U'), 2)) log('not_paid', sometime(), ticket);
  for (const ticket of random.sample(ticketsOf('F'), 2)) log('not_active', sometime(), ticket);
  for (const ticket of random.sample(strangers, 2)) log('wrong_event', sometime(), ticket);
  for (const outcome of ['forged', 'forged', 'malformed', 'unknown']) {
    if (random.chance(0.6)) log(outcome, sometime());
  }
  if (event.scanOpensAt) {
    const early = event.scanOpensAt.getTime() - random.whole(2, 12) * minute;
    for (const ticket of random.sample(scanned, 1)) log('too_early', early, ticket);
  }
  takeOneBack(scanned, attempts, house, random);
  return attempts;
}

/** Undoes the scan of a ticket with a single attempt, a minute later by the same device. */
function takeOneBack(scanned: readonly TicketRow[], attempts: AttemptRow[], { now, undoReasons }: House, random: DemoRandom): void {
  const once = scanned.filter(({ id }) => attempts.filter(({ ticketId }) => ticketId === id).length === 1);
  const [ticket] = random.sample(
    once.filter((candidate) => timeOf(candidate) + 2 * minute < now.getTime()),
    1,
  );
  const scan = attempts.find(({ ticketId }) => ticketId === ticket?.id);
  if (!ticket || !scan) return;
  const recordedAt = new Date(scan.recordedAt.getTime() + random.whole(40_000, 90_000));
  const reason = random.pick(undoReasons);
  attempts.push({ ...scan, recordedAt, deviceTime: recordedAt, action: 'undo', outcome: 'undone', reason });
  Object.assign(ticket, { status: 'K', scannedAt: null, scannedBy: null });
}

function timeOf(ticket: TicketRow): number {
  return (ticket.scannedAt as Date).getTime();
}
