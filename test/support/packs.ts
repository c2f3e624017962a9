import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as pass } from 'node:timers/promises';
import { PackWaitsService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import type { PairedDevice } from './builders.js';
import type { TestApp } from './test-app.js';

/** The payload of a list, as docs/scanning.md describes it. */
export interface Pack {
  readonly full: boolean;
  readonly event: { readonly uuid: string; readonly name: string; readonly start: string };
  readonly position: string;
  readonly lease_end: string;
  readonly policy: string;
  readonly salt: string;
  readonly gates: readonly { readonly uuid: string; readonly name: string; readonly types: readonly number[] | null }[];
  readonly devices: readonly { readonly uuid: string; readonly name: string }[];
  readonly mine: {
    readonly device: string;
    readonly types: readonly number[] | null;
    readonly end: string | null;
    readonly holders: readonly { readonly type: number; readonly device_name: string | null; readonly gate: string | null }[];
  };
  readonly lease_ms: number | null;
  readonly counts: object;
  readonly conflicts: readonly object[];
  readonly count: number;
  readonly sealed?: readonly (string | null)[];
  readonly [array: string]: unknown;
}

export interface PackedTicket {
  readonly type: number;
  readonly state: number;
  readonly gate: number;
  readonly device: number;
  readonly transfers: number;
  readonly moment: number;
  readonly group: number;
  readonly sealed: string | null | undefined;
}

export const readPack = ({ body }: { body: unknown }): Pack => JSON.parse((body as { payload: string }).payload) as Pack;

/** The hash of a ticket in a list, hexadecimal. */
export function hashOf(salt: string, ticketId: string): string {
  const id = Buffer.from(ticketId.replaceAll('-', ''), 'hex');
  return createHmac('sha256', Buffer.from(salt, 'base64url')).update(id).digest('hex').slice(0, 16);
}

/** The tickets of a list by their hashes, in its order. */
export function ticketsOf(pack: Pack): Map<string, PackedTicket> {
  // All first bytes of the numbers come before all second ones, and so on.
  const bytes = (member: string, width = 1): Buffer => {
    const sorted = Buffer.from(pack[member] as string, 'base64url');
    const count = sorted.length / width;
    return sorted.map((_, at) => sorted[(at % width) * count + Math.floor(at / width)]!) as Buffer;
  };
  const [hashes, type, state, gate, device] = [bytes('hashes', 8), bytes('type', 2), bytes('state'), bytes('gate'), bytes('device')];
  const [transfers, moment, group] = [bytes('transfers'), bytes('moment', 4), bytes('group', 2)];
  const since = pack['moments_since'] as number;
  return new Map(
    Array.from({ length: hashes.length / 8 }, (_, at) => [
      hashes.toString('hex', at * 8, at * 8 + 8),
      {
        type: type.readUInt16BE(at * 2),
        state: state.readUInt8(at),
        gate: gate.readUInt8(at),
        device: device.readUInt8(at),
        transfers: transfers.readUInt8(at),
        moment: moment.readUInt32BE(at * 4) && moment.readUInt32BE(at * 4) + since,
        group: group.length > 0 ? group.readUInt16BE(at * 2) : 0,
        sealed: pack.sealed?.[at],
      },
    ]),
  );
}

/** Waits until so many requests wait for changes in a process. */
export async function waitsFor({ app }: Pick<TestApp, 'app'>, count: number): Promise<void> {
  while (app.get(PackWaitsService).size !== count) await pass(10);
}

/** Calls of `GET /scan/pack/`. @param now the door at the time of the call */
export function packApi(now: () => { readonly test: TestApp; readonly venue: TenantIdentity; readonly device: PairedDevice }) {
  const pack = (query: Readonly<Record<string, string>>, by = now().device): supertest.Test =>
    now()
      .test.on(now().venue)
      .get(`/scan/pack/?${new URLSearchParams(query)}`)
      .set('Authorization', by.authorization);
  const full = async (event: string, by?: PairedDevice): Promise<Pack> => readPack(await pack({ event }, by).expect(200));
  const delta = async (event: string, after: string, wait = 0, by?: PairedDevice): Promise<Pack> =>
    readPack(await pack({ event, after, wait: String(wait) }, by).expect(200));
  return { pack, full, delta };
}

/**
 * Adds valid tickets of reservations of one to four tickets, quickly.
 * @param scanned how many of them came in within the last three hours, by these devices at these gates
 */
export async function addTickets(
  { database }: Pick<TestApp, 'database'>,
  { schemaName }: TenantIdentity,
  event: { readonly id: string; readonly priceId: string },
  {
    count,
    scanned = 0,
    devices = [],
    gates = [],
    prices = [],
  }: { count: number; scanned?: number } & Partial<Record<'devices' | 'gates' | 'prices', string[]>>,
): Promise<void> {
  await database.query(
    `with booked as (
       insert into "${schemaName}".reservation (event_id, email, status)
       select $1::uuid, 'ada@example.org', 'V' from generate_series(1, ${Math.ceil(count / 2.5) + 4}) n returning id
     ), numbered as (
       select b.id, row_number() over () as number
       from (select id, row_number() over () as at from booked) b cross join lateral generate_series(0, b.at % 4)
     )
     insert into "${schemaName}".ticket (reservation_id, event_id, price_id, first_name, last_name, status, signing_key_id, scanned_at,
       scanned_by, gate_id)
     select id, $1::uuid, ($2::uuid[])[1 + number / 3 % cardinality($2::uuid[])], 'Ada' || number, 'Martin',
       case when number <= $3 then 'S' else 'K' end, 1,
       case when number <= $3 then now() - random() * interval '3 hours' end,
       case when number <= $3 then ($4::uuid[])[1 + number % cardinality($4::uuid[])] end,
       case when number <= $3 then ($5::uuid[])[1 + number % cardinality($5::uuid[])] end
     from numbered where number <= $6`,
    [event.id, [event.priceId, ...prices], scanned, devices, gates, count],
  );
  await database.query(`vacuum analyze "${schemaName}".ticket`);
}

/** Bytes of an answer as they are sent. */
export async function sentBytes(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  let bytes = 0;
  for await (const part of answer) bytes += (part as Buffer).length;
  return bytes;
}
