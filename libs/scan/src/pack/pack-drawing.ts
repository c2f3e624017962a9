import { isoInZone } from '#kernel';
import type { PackLook } from '../pack-data/pack-look.js';

/** Version of the format. */
const schema = 1;

/** What one device gets beside the list: JSON. */
export interface OwnParts {
  readonly mine: string;
  readonly conflicts: string;
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
    lease_end: at(leaseEnd),
    policy,
    salt: salt.toString('base64url'),
    gates,
    types,
    devices,
    counts: { ...counts, elsewhere: counts.inside - named },
    count,
  });
  const arrays = (['hashes', 'type', 'state', 'gate', 'device', 'transfers', 'moment'] as const).map(
    (member) => `"${member}":"${row[member]?.toString('base64url') ?? ''}"`,
  );
  const group = since === null ? (row.party?.toString('base64url') ?? '') : '';
  const names = sealed ? `,"sealed":${sealedList(row.hashes, sealed)}` : '';
  return `${head.slice(1, -1)},"keys":${keys},${arrays.join(',')},"group":"${group}"${names}`;
}

/** The payload for one device. */
export function drawPayload(shared: string, position: string, { mine, conflicts }: OwnParts): string {
  return `{${shared},"position":${JSON.stringify(position)},"mine":${mine},"conflicts":${conflicts}}`;
}

function sealedList(hashes: Buffer | null, sealed: ReadonlyMap<string, string>): string {
  const entries: string[] = [];
  for (let at = 0; at < (hashes?.length ?? 0); at += 8) {
    const entry = sealed.get((hashes as Buffer).toString('base64url', at, at + 8));
    entries.push(entry === undefined ? 'null' : `"${entry}"`);
  }
  return `[${entries.join(',')}]`;
}
