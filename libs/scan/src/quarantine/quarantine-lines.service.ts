import { Injectable } from '@nestjs/common';
import { TenantDb, type Tx } from '#tenancy';
import { happenedAt, readLine, type JournalLine } from '../journal/journal-line.js';
import { ScanService } from '../scanning/scan.service.js';

/** Lines that are read at once: verifying the codes of so many takes a few milliseconds. */
export const mostShown = 200;

/** A ticket of a line, as it is now. */
interface LineTicket {
  readonly id: string;
  readonly reservationId: string;
  readonly eventName: string;
  /** `inside`: it came in, also through another scan. */
  readonly state: 'expected' | 'inside' | 'outside' | 'not_valid';
}

/** A line of a quarantined journal, as staff read it. */
export interface QuarantinedLine {
  readonly id: string;
  readonly receivedAt: Date;
  readonly seenAt: Date | null;
  /** The line as the device wrote it. */
  readonly text: string;
  /** null: the text is no line of a journal, and nothing below is known. */
  readonly happenedAt: Date | null;
  readonly errorMs: number;
  readonly kind: 'scan' | 'undo' | null;
  readonly direction: 'entry' | 'exit' | null;
  readonly verdict: 'admitted' | 'refused' | null;
  /** People that came in together under this code. */
  readonly tickets: number;
  readonly gateName: string | null;
  readonly ticket: LineTicket | null;
  /** The server decided or recorded this attempt before: nothing is missing. */
  readonly isRecorded: boolean;
}

/** Lines of one device: those that nobody saw first, in the order in which they arrived. */
export interface Quarantine {
  readonly lines: readonly QuarantinedLine[];
  readonly total: number;
  readonly unseen: number;
  /** Lines that are shown at most; marking them as seen shows the next ones. */
  readonly most: number;
}

interface StoredLine {
  readonly id: string;
  readonly receivedAt: Date;
  readonly seenAt: Date | null;
  readonly line: string;
}

/** Reads the lines that devices handed over after their keys were revoked. They change nothing. */
@Injectable()
export class QuarantineLinesService {
  constructor(
    private readonly db: TenantDb,
    private readonly scan: ScanService,
  ) {}

  /** The lines of a device; none when there is no such device. */
  async of(deviceId: string): Promise<Quarantine> {
    const { stored, counts } = await this.db.transaction(async (tx) => ({
      stored: await tx.query<StoredLine[]>(
        `select id, received_at as "receivedAt", seen_at as "seenAt", line from quarantine_line where device_id = $1
         order by seen_at is not null, id limit ${mostShown}`,
        [deviceId],
      ),
      counts: await countLines(tx, deviceId),
    }));
    const read = await Promise.all(stored.map(async (row) => ({ row, ...(await this.read(row.line)) })));
    const lines = await this.db.transaction((tx) => describeLines(tx, deviceId, read));
    return { lines, ...counts, most: mostShown };
  }

  /**
   * Notes that a member of staff saw the lines up to this one. Lines that arrived later stay unseen.
   * @param upTo id of a line @returns how many were not seen before
   */
  async see(deviceId: string, upTo: string, userId: string): Promise<number> {
    if (!/^\d{1,18}$/.test(upTo)) return 0;
    const [, count] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>(
        `update quarantine_line set seen_at = (select now()), seen_by = $3 where device_id = $1 and id <= $2 and seen_at is null`,
        [deviceId, upTo, userId],
      ),
    );
    return count;
  }

  private async read(text: string): Promise<{ line: JournalLine | undefined; ticketId: string | null }> {
    const line = readLine(text);
    const code = line && (await this.scan.judgeLine(line));
    if (!code) return { line, ticketId: line?.ticketId ?? null };
    return { line, ticketId: 'ticketId' in code ? code.ticketId : null };
  }
}

interface ReadLine {
  readonly row: StoredLine;
  readonly line: JournalLine | undefined;
  readonly ticketId: string | null;
}

async function countLines(tx: Tx, deviceId: string): Promise<{ total: number; unseen: number }> {
  const [counts] = await tx.query<{ total: number; unseen: number }[]>(
    `select count(*)::int as total, (count(*) filter (where seen_at is null))::int as unseen from quarantine_line where device_id = $1`,
    [deviceId],
  );
  return counts ?? { total: 0, unseen: 0 };
}

/** Adds names and states, and the tickets of lines that take an earlier attempt back. */
async function describeLines(tx: Tx, deviceId: string, read: readonly ReadLine[]): Promise<QuarantinedLine[]> {
  const attempts = read.flatMap(({ line }) => (line ? [line.scanId, ...(line.undoes ? [line.undoes] : [])] : []));
  const logged = await tx.query<{ scanId: string; ticketId: string | null }[]>(
    `select scan_id as "scanId", ticket_id as "ticketId" from scan_line where device_id = $1 and scan_id = any ($2::uuid[])
     union all select scan_id, ticket_id from scan_log where device_id = $1 and scan_id = any ($2::uuid[])`,
    [deviceId, attempts],
  );
  const recorded = new Set(logged.map(({ scanId }) => scanId));
  const ticketOf = new Map(logged.map(({ scanId, ticketId }) => [scanId, ticketId]));
  for (const { line, ticketId } of read) if (line && ticketId !== null) ticketOf.set(line.scanId, ticketId);
  const idOf = ({ line, ticketId }: ReadLine): string | null => ticketId ?? (line?.undoes ? (ticketOf.get(line.undoes) ?? null) : null);
  const tickets = await ticketsOf(
    tx,
    read.flatMap((each) => idOf(each) ?? []),
  );
  const gates = await tx.query<{ id: string; name: string }[]>('select id, name from gate where id = any ($1::uuid[])', [
    read.flatMap(({ line }) => line?.gateId ?? []),
  ]);
  const gateNames = new Map(gates.map(({ id, name }) => [id, name]));
  return read.map((each) => {
    const { row, line } = each;
    return {
      id: row.id,
      receivedAt: row.receivedAt,
      seenAt: row.seenAt,
      text: row.line,
      happenedAt: line ? happenedAt(line) : null,
      errorMs: line?.clockErrorMs ?? 0,
      kind: line?.kind ?? null,
      direction: line?.kind === 'scan' ? line.direction : null,
      verdict: line?.kind === 'scan' ? line.verdict : null,
      tickets: line?.tickets ?? 1,
      gateName: (line?.gateId && gateNames.get(line.gateId)) ?? null,
      ticket: tickets.get(idOf(each) ?? '') ?? null,
      isRecorded: line !== undefined && recorded.has(line.scanId),
    };
  });
}

async function ticketsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, LineTicket>> {
  const rows = await tx.query<LineTicket[]>(
    `select t.id, t.reservation_id as "reservationId", e.name as "eventName", case
       when t.status = 'S' and t.left_at is null then 'inside' when t.status = 'S' then 'outside' when t.status = 'K' then 'expected'
       else 'not_valid' end as state
     from ticket t join event e on e.id = t.event_id where t.id = any ($1::uuid[])`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((ticket) => [ticket.id, ticket]));
}
