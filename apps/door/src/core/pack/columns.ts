import { fromBase64url, toBase64url, type Bytes } from '../codes/bytes.js';
import { PackError, type PackPayload } from './payload.js';

/** States of tickets in a pack. */
export const states = {
  expected: 0,
  inside: 1,
  outside: 2,
  notPaid: 3,
  notActive: 4,
  cancelled: 5,
  notAdmission: 6,
  gone: 7,
} as const;
export type TicketState = (typeof states)[keyof typeof states];

/** One ticket of the list. */
export interface PackTicket {
  /** The first 8 bytes of the keyed hash of its id. */
  readonly hash: bigint;
  /** Id of its price. */
  readonly typeId: string | null;
  readonly state: TicketState;
  /** Id of the gate of its last movement. */
  readonly gateId: string | null;
  readonly deviceId: string | null;
  /** Number of transfers modulo 256. */
  readonly transfers: number;
  /** Seconds since 1970 of its last movement, or of its cancellation; 0: none. */
  readonly moment: number;
  /** Number of its reservation within the list; 0: unknown. */
  readonly group: number;
  /** Its sealed name, base64url. */
  readonly sealed: string | null;
}

/** The numbers that stand in one byte for gates and devices; 255 stands for none. */
const none = 255;

/** Decodes the columns of a pack or a delta. @throws PackError when their lengths differ */
export function readColumns(payload: PackPayload): PackTicket[] {
  const hashes = numbersOf(payload.hashes, 8);
  const count = hashes.byteLength / 8;
  const [type, state, gate] = [numbersOf(payload.type, 2), numbersOf(payload.state), numbersOf(payload.gate)];
  const [device, transfers, moment] = [numbersOf(payload.device), numbersOf(payload.transfers), numbersOf(payload.moment, 4)];
  const group = numbersOf(payload.group ?? '', 2);
  const lengths = [type.byteLength / 2, state.byteLength, gate.byteLength, device.byteLength, transfers.byteLength, moment.byteLength / 4];
  const sealed = payload.sealed;
  if (lengths.some((length) => length !== count) || (sealed && sealed.length !== count)) throw new PackError('unreadable');
  const grouped = group.byteLength === count * 2;
  return Array.from({ length: count }, (_, at) => ({
    hash: hashes.getBigUint64(at * 8),
    typeId: payload.types[type.getUint16(at * 2)]?.uuid ?? null,
    state: state.getUint8(at) as TicketState,
    gateId: payload.gates[gate.getUint8(at)]?.uuid ?? null,
    deviceId: payload.devices[device.getUint8(at)]?.uuid ?? null,
    transfers: transfers.getUint8(at),
    moment: moment.getUint32(at * 4) && moment.getUint32(at * 4) + payload.moments_since,
    group: grouped ? group.getUint16(at * 2) : 0,
    sealed: sealed?.[at] ?? null,
  }));
}

type Columns = Pick<
  PackPayload,
  'count' | 'moments_since' | 'hashes' | 'type' | 'state' | 'gate' | 'device' | 'transfers' | 'moment' | 'group' | 'sealed'
>;

/** Encodes tickets as columns again, in any order. Indexes are those of the lists given. */
export function writeColumns(
  tickets: readonly PackTicket[],
  { types, gates, devices }: Pick<PackPayload, 'types' | 'gates' | 'devices'>,
): Columns {
  const indexes = [types, gates, devices].map((list) => new Map(list.map(({ uuid }, at) => [uuid, at])));
  const [typeAt, gateAt, deviceAt] = indexes as [Map<string, number>, Map<string, number>, Map<string, number>];
  const column = (bytes: number, write: (view: DataView, at: number, ticket: PackTicket) => void): string => {
    const all = new Uint8Array(tickets.length * bytes);
    const view = new DataView(all.buffer);
    tickets.forEach((ticket, at) => write(view, at * bytes, ticket));
    return toBase64url(planes(all, bytes, true));
  };
  return {
    count: tickets.length,
    moments_since: 0,
    hashes: column(8, (view, at, { hash }) => view.setBigUint64(at, hash)),
    type: column(2, (view, at, { typeId }) => view.setUint16(at, typeAt.get(typeId ?? '') ?? 65_535)),
    state: column(1, (view, at, { state }) => view.setUint8(at, state)),
    gate: column(1, (view, at, { gateId }) => view.setUint8(at, gateAt.get(gateId ?? '') ?? none)),
    device: column(1, (view, at, { deviceId }) => view.setUint8(at, deviceAt.get(deviceId ?? '') ?? none)),
    transfers: column(1, (view, at, { transfers }) => view.setUint8(at, transfers)),
    moment: column(4, (view, at, { moment }) => view.setUint32(at, moment)),
    group: column(2, (view, at, { group }) => view.setUint16(at, group)),
    sealed: tickets.map(({ sealed }) => sealed),
  };
}

/** The numbers of a column, each of `width` bytes, one after the other. */
function numbersOf(text: string, width = 1): DataView {
  const bytes: Bytes | undefined = fromBase64url(text);
  if (!bytes || bytes.length % width > 0) throw new PackError('unreadable');
  return new DataView(planes(bytes, width, false).buffer);
}

/** Columns hold all first bytes before all second ones, and so on, because they compress better then. @param to or from that order */
function planes(bytes: Bytes, width: number, to: boolean): Bytes {
  if (width === 1) return bytes;
  const moved = new Uint8Array(bytes.length);
  const count = bytes.length / width;
  for (let plane = 0; plane < width; plane += 1) {
    for (let at = 0; at < count; at += 1) {
      const [whole, sorted] = [at * width + plane, plane * count + at];
      if (to) moved[sorted] = bytes[whole]!;
      else moved[whole] = bytes[sorted]!;
    }
  }
  return moved;
}
