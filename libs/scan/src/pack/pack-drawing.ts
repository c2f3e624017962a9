import { isoInZone } from '#kernel';
import type { PackLook } from '../pack-data/pack-look.js';

/** Version of the format. */
const schema = 2;

/** Bytes of a ticket in each column. */
const widths = { hashes: 8, type: 2, state: 1, gate: 1, device: 1, transfers: 1, moment: 4 } as const;

/** What one device gets beside the list: JSON. */
export interface OwnParts {
  readonly mine: string;
  /** An object; its members are members of the payload. */
  readonly ledger: string;
  /** Milliseconds that its lease lasts from now; they pass without being a change of the list. */
  readonly leftMs: number | null;
}

/**
 * The text of a list but for what one device alone gets: members of a JSON object, without braces.
 * @param sealed names by hash; undefined: none are wanted
 */
export function drawShared(
  { row, keys, since }: PackLook,
  salt: Buffer,
  timeZone: string,
  sealed: ReadonlyMap<string, string> | undefined,
): string {
  const { event, serverTime, gates, types, devices, counts, count } = row;
  if (!event) return '';
  const at = (instant: string | null): string | null => (instant === null ? null : isoInZone(instant, timeZone));
  const { uuid, name, place, startsAt, endsAt, opensAt, closesAt, reentry, leaseEnd, policy, note, age } = event;
  const { moment, momentsSince } = momentsOf(row.moment);
  const named = counts.gates.reduce((sum, inside) => sum + inside, 0);
  const head = JSON.stringify({
    schema,
    full: since === null,
    event: {
      uuid,
      name,
      place,
      start: at(startsAt),
      end: at(endsAt),
      doors: at(opensAt),
      closes: at(closesAt),
      reentry,
      note,
      age,
    },
    server_time: at(serverTime),
    time_zone: timeZone,
    lease_end: at(leaseEnd),
    policy,
    salt: salt.toString('base64url'),
    gates,
    types,
    devices,
    counts: { ...counts, elsewhere: counts.inside - named },
    count,
    ...(row.due && { due: row.due }),
    moments_since: momentsSince,
  });
  const arrays = Object.entries(widths).map(([member, width]) => {
    const bytes = member === 'moment' ? moment : row[member as keyof typeof widths];
    return `"${member}":"${bytes ? planes(bytes, width).toString('base64url') : ''}"`;
  });
  const group = since === null && row.party ? planes(row.party, 2).toString('base64url') : '';
  const names = sealed ? `,"sealed":${sealedList(row.hashes, sealed)}` : '';
  return `${head.slice(1, -1)},"keys":${keys},${arrays.join(',')},"group":"${group}"${names}`;
}

/**
 * The numbers of a column with all first bytes before all second ones, and so on: first bytes are alike, so that the list compresses to
 * three quarters.
 */
function planes(numbers: Buffer, width: number): Buffer {
  if (width === 1) return numbers;
  const sorted = Buffer.allocUnsafe(numbers.length);
  const count = numbers.length / width;
  for (let plane = 0, to = 0; plane < width; plane += 1) {
    for (let at = 0; at < count; at += 1, to += 1) sorted[to] = numbers[at * width + plane] as number;
  }
  return sorted;
}

/** Moments as seconds since shortly before the earliest one, which have fewer bytes that differ than seconds since 1970. 0 stays 0. */
function momentsOf(moments: Buffer | null): { readonly moment: Buffer | null; readonly momentsSince: number } {
  if (!moments) return { moment: null, momentsSince: 0 };
  let least = Infinity;
  for (let at = 0; at < moments.length; at += 4) {
    const moment = moments.readUInt32BE(at);
    if (moment !== 0 && moment < least) least = moment;
  }
  if (least === Infinity) return { moment: moments, momentsSince: 0 };
  const moment = Buffer.alloc(moments.length);
  for (let at = 0; at < moments.length; at += 4) {
    const seconds = moments.readUInt32BE(at);
    if (seconds !== 0) moment.writeUInt32BE(seconds - least + 1, at);
  }
  return { moment, momentsSince: least - 1 };
}

/** The payload for one device. */
export function drawPayload(shared: string, position: string, { mine, ledger, leftMs }: OwnParts): string {
  return `{${shared},"position":${JSON.stringify(position)},"mine":${mine},"lease_ms":${leftMs},${ledger.slice(1)}`;
}

function sealedList(hashes: Buffer | null, sealed: ReadonlyMap<string, string>): string {
  const entries: string[] = [];
  for (let at = 0; at < (hashes?.length ?? 0); at += 8) {
    const entry = sealed.get((hashes as Buffer).toString('base64url', at, at + 8));
    entries.push(entry === undefined ? 'null' : `"${entry}"`);
  }
  return `[${entries.join(',')}]`;
}
