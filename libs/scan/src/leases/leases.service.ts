import { Injectable } from '@nestjs/common';
import { isoInZone } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import type { PackRow } from '../pack-data/pack-look.js';
import { leaseStatement, type LeaseRow } from './lease.statement.js';

/** The phone that asks: which installation, and at which gate. */
export interface Phone {
  /** Without it a device gets nothing. */
  readonly holder: string | undefined;
  readonly gate: string | undefined;
}

/** What a device may let in without a connection. Indexes are those of the list. */
export interface Lease {
  /** null: everything. */
  readonly types: readonly number[] | null;
  /** With types: until when, on the server's clock. */
  readonly end: string | null;
  /** Which other devices have the other types. */
  readonly holders: readonly { readonly type: number; readonly device_name: string | null; readonly gate: string | null }[];
}

/** A lease, and the milliseconds that are left of it. */
export interface LeaseNow {
  readonly lease: Lease;
  readonly leftMs: number | null;
}

const everything: LeaseNow = { lease: { types: null, end: null, holders: [] }, leftMs: null };

/** Decides which device lets in which tickets without a connection. */
@Injectable()
export class LeasesService {
  constructor(private readonly db: TenantDb) {}

  /** Gives a device the types of a list that are free, and renews those that it has. With the policy `record` it needs none. */
  async of(device: Device, { holder, gate }: Phone, { event, types, gates }: PackRow): Promise<LeaseNow> {
    if (event?.policy !== 'one_device') return everything;
    // Types that may not pass the gate of the device are left to others.
    const passing = gates.find(({ uuid }) => uuid === gate)?.types ?? types.map((_, at) => at);
    const asked = holder === undefined ? [] : passing.map((at) => types[at]?.uuid);
    const values = [event.uuid, device.deviceId, device.keyId, holder ?? null, gate ?? null, asked];
    const rows = await this.db.statement<LeaseRow>(leaseStatement, values);
    const typeOf = ({ priceId }: LeaseRow): number => types.findIndex(({ uuid }) => uuid === priceId);
    const known = rows.filter((row) => typeOf(row) >= 0).toSorted((one, other) => typeOf(one) - typeOf(other));
    const mine = known.filter(({ isMine }) => isMine);
    const first = mine.toSorted((one, other) => one.leftMs - other.leftMs)[0];
    const others = known.filter(({ isMine }) => !isMine);
    return {
      lease: {
        types: mine.map(typeOf),
        end: first ? isoInZone(first.endsAt, currentTenant().timeZone) : null,
        holders: others.map((row) => ({ type: typeOf(row), device_name: row.deviceName, gate: row.gate })),
      },
      leftMs: first ? Math.floor(first.leftMs) : null,
    };
  }
}
