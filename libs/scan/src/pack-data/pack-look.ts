import { shortMark } from './position.js';

/** One row of `packStatement`. Instants are UTC texts with microseconds. */
export interface PackRow {
  readonly event: {
    readonly uuid: string;
    readonly name: string;
    readonly place: string | null;
    readonly startsAt: string;
    readonly endsAt: string | null;
    readonly opensAt: string | null;
    readonly closesAt: string | null;
    readonly leaseEnd: string;
    readonly reentry: boolean;
    readonly policy: 'record' | 'one_device';
    readonly note: string | null;
    readonly age: number | null;
  } | null;
  readonly table: string;
  readonly xmin: string;
  readonly xmax: string;
  readonly serverTime: string;
  readonly gates: readonly { readonly uuid: string; readonly name: string; readonly types: readonly number[] | null }[];
  readonly types: readonly {
    readonly uuid: string;
    readonly price: string;
    readonly product: string;
    readonly note: string | null;
    /** Missing: `once`. */
    readonly entry?: 'daily' | 'exits';
  }[];
  readonly devices: readonly { readonly uuid: string; readonly name: string }[];
  readonly counts: { readonly expected: number; readonly admitted: number; readonly inside: number; readonly gates: readonly number[] };
  /** Differs when a double entry was found or decided. */
  readonly ledger: string;
  readonly count: number;
  readonly hashes: Buffer | null;
  readonly type: Buffer | null;
  readonly state: Buffer | null;
  readonly gate: Buffer | null;
  readonly device: Buffer | null;
  readonly transfers: Buffer | null;
  readonly moment: Buffer | null;
  /** Null also when the numbers of the reservations do not fit. */
  readonly party: Buffer | null;
  /** What the reservations of unpaid tickets cost, as decimal texts, by the hashes of the tickets; null: all are paid. */
  readonly due: Readonly<Record<string, string>> | null;
  readonly recent: Buffer | null;
}

/** Bytes of `recent` for one ticket: hash, transaction of the ticket, transaction of the reservation. */
const recentBytes = 24;

/** What a device knows, as far as changes are concerned. */
export interface Known {
  /** Changes that it lacks belong to transactions from this number on. */
  readonly since: bigint;
  /** Stands for all else that it has: changes of such transactions that were finished already, the event, gates and prices. */
  readonly told: string;
  readonly ledger: string;
}

/** The list of an event at one moment, or what changed in it since another moment. */
export class PackLook {
  private readonly facts: string;

  /** @param keys of the tenant, as JSON @param since the transaction from which on changes are listed; null: the list is full */
  constructor(
    readonly row: PackRow,
    readonly keys: string,
    readonly since: string | null,
  ) {
    const { event, gates, types, devices, count } = row;
    // Tickets that are deleted leave no row: their number tells.
    this.facts = JSON.stringify([event, gates, types, devices, count, keys]);
  }

  /** What a device with this list knows. */
  get known(): Known {
    const since = BigInt(this.row.xmin);
    return { since, told: this.toldSince(since), ledger: this.row.ledger };
  }

  /** Whether a device that knew this lacks something of the list. The look must hold all changes since then. */
  differsFrom({ since, told }: Known): boolean {
    return this.toldSince(since) !== told;
  }

  /** See `Known`. */
  toldSince(since: bigint): string {
    return shortMark(43, this.facts, this.recentSince(since));
  }

  /** Stands for the tickets of the list. */
  get digest(): string {
    const { hashes, type, state, gate, device, transfers, moment, party } = this.row;
    const arrays = [hashes, type, state, gate, device, transfers, moment, party].map((array) => array ?? '');
    return shortMark(43, this.facts, ...arrays);
  }

  private recentSince(since: bigint): Buffer {
    const { recent } = this.row;
    if (!recent) return Buffer.alloc(0);
    const kept: Buffer[] = [];
    for (let at = 0; at < recent.length; at += recentBytes) {
      if (recent.readBigInt64BE(at + 8) < since && recent.readBigInt64BE(at + 16) < since) continue;
      kept.push(recent.subarray(at, at + recentBytes));
    }
    return Buffer.concat(kept);
  }
}
