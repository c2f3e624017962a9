import { fromBase64url, type Bytes } from '../codes/bytes.js';
import { instant, instantOrNull } from '../network/instants.js';
import type { Conflict, DoorEvent } from '../types.js';
import { readColumns, states, writeColumns, type PackTicket } from './columns.js';
import { PackError, type PackPayload } from './payload.js';

export interface PackType {
  readonly id: string;
  readonly price: string;
  readonly product: string;
  readonly note: string | null;
  /** How often its tickets let in: once on each day of the venue, or whenever their holder was let out; null: once. */
  readonly entry: 'daily' | 'exits' | null;
}

export interface PackGate {
  readonly id: string;
  readonly name: string;
  /** Ids of the prices that may pass; null: all. */
  readonly types: ReadonlySet<string> | null;
}

/** The list of an event in memory. Tickets change in place; everything else is replaced by deltas. */
export interface Pack {
  /** Everything of the last payload but the tickets. */
  readonly head: PackPayload;
  readonly event: DoorEvent;
  readonly reentry: boolean;
  readonly note: string | null;
  readonly age: number | null;
  readonly position: string;
  /** Milliseconds since 1970. */
  readonly serverTime: number;
  readonly leaseEnd: number;
  readonly salt: Bytes;
  readonly types: ReadonlyMap<string, PackType>;
  readonly gates: readonly PackGate[];
  readonly devices: ReadonlyMap<string, string>;
  /** Ids of the prices that this device may let in without the server while its lease lasts; null: all, always. */
  readonly mine: ReadonlySet<string> | null;
  /** Names of the devices, and of their gates, that let in the other prices, by the ids of these. */
  readonly holders: ReadonlyMap<string, { readonly device: string | null; readonly gate: string | null }>;
  readonly conflicts: readonly Conflict[];
  readonly tickets: Map<bigint, PackTicket>;
}

/** The list of a full payload. @throws PackError `unreadable` */
export function packOf(payload: PackPayload): Pack {
  const tickets = new Map<bigint, PackTicket>();
  for (const ticket of readColumns(payload)) if (ticket.state !== states.gone) tickets.set(ticket.hash, ticket);
  return describe(payload, tickets, new Map());
}

/**
 * The list after a delta. The same delta twice changes nothing. The tickets of `pack` change in place: use the result in its stead at once.
 * @returns undefined when the number of tickets differs afterwards: get a full pack
 * @throws PackError `unreadable`
 */
export function applyDelta(pack: Pack, delta: PackPayload): Pack | undefined {
  const changed = readColumns(delta);
  if (delta.event.uuid !== pack.event.id || delta.salt !== pack.head.salt) return undefined;
  // Checked before anything changes: the list in use stays whole.
  const gone = new Set(changed.filter(({ state }) => state === states.gone).map(({ hash }) => hash));
  const added = new Set(changed.map(({ hash }) => hash).filter((hash) => !gone.has(hash) && !pack.tickets.has(hash)));
  const removed = [...gone].filter((hash) => pack.tickets.has(hash));
  if (pack.tickets.size + added.size - removed.length !== delta.count) return undefined;
  for (const ticket of changed) {
    if (ticket.state === states.gone) {
      pack.tickets.delete(ticket.hash);
      continue;
    }
    const before = pack.tickets.get(ticket.hash);
    // Deltas have no numbers of reservations, and names only when they were asked for.
    pack.tickets.set(ticket.hash, {
      ...ticket,
      group: ticket.group || (before?.group ?? 0),
      sealed: ticket.sealed ?? before?.sealed ?? null,
    });
  }
  // What is paid since is not asked for.
  return describe({ ...delta, due: { ...pack.head.due, ...delta.due } }, pack.tickets, pack.devices);
}

/** A full payload of the list as it is now, to be stored. */
export function payloadOf({ head, tickets, devices }: Pack): PackPayload {
  const known = [...devices].map(([uuid, name]) => ({ uuid, name })).slice(0, 255);
  const lists = { ...head, devices: known };
  return { ...lists, ...writeColumns([...tickets.values()], lists), full: true };
}

function describe(payload: PackPayload, tickets: Map<bigint, PackTicket>, before: ReadonlyMap<string, string>): Pack {
  const { event, types, gates, mine } = payload;
  const salt = fromBase64url(payload.salt);
  if (!salt) throw new PackError('unreadable');
  const idsOf = (indexes: readonly number[] | null): ReadonlySet<string> | null =>
    indexes && new Set(indexes.map((index) => types[index]?.uuid).filter((id) => id !== undefined));
  return {
    head: { ...payload, hashes: '', type: '', state: '', gate: '', device: '', transfers: '', moment: '', group: '', sealed: [] },
    event: {
      id: event.uuid,
      name: event.name,
      place: event.place,
      start: instant(event.start),
      end: instantOrNull(event.end),
      doors: instantOrNull(event.doors),
      closes: instantOrNull(event.closes),
    },
    reentry: event.reentry,
    note: event.note,
    age: event.age,
    position: payload.position,
    serverTime: instant(payload.server_time),
    leaseEnd: instant(payload.lease_end),
    salt,
    types: new Map(types.map(({ uuid, price, product, note, entry }) => [uuid, { id: uuid, price, product, note, entry: entry ?? null }])),
    gates: gates.map((gate) => ({ id: gate.uuid, name: gate.name, types: idsOf(gate.types) })),
    devices: new Map([...before, ...payload.devices.map(({ uuid, name }) => [uuid, name] as const)]),
    mine: payload.policy === 'one_device' ? (idsOf(mine.types) ?? new Set()) : null,
    holders: new Map(mine.holders.map(({ type, device_name: device, gate }) => [types[type]?.uuid ?? '', { device, gate }])),
    conflicts: [...payload.conflicts, ...(payload.wrong_events ?? [])],
    tickets,
  };
}
