import { Injectable } from '@nestjs/common';
import { eventProblem } from '#catalogue';
import { ApiKeysService, TenantDb } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { statusStatement } from './status.statement.js';

/** People at an event, all of one moment. */
export interface DoorStatusRow {
  readonly event: { readonly uuid: string; readonly name: string };
  /** UTC text with microseconds. */
  readonly serverTime: string;
  readonly position: string;
  /** Valid admission tickets. */
  readonly expected: number;
  /** Of these, tickets that came in at least once. */
  readonly admitted: number;
  readonly inside: number;
  /** Gates of the event in their order, with the people who came in there last. */
  readonly gates: readonly { readonly uuid: string; readonly name: string; readonly inside: number }[];
}

/** Counts people at the doors of an event. */
@Injectable()
export class DoorStatusService {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
  ) {}

  /** @throws Problem 404 `event.unknown`, 401/403 when the key was revoked or suspended in the meantime */
  async of(device: Device, eventId: string): Promise<DoorStatusRow> {
    const values = [eventId, device.deviceId, device.keyId];
    const [row] = await this.db.statement<Omit<DoorStatusRow, 'event'> & { event: DoorStatusRow['event'] | null }>(statusStatement, values);
    if (!row) throw await this.keys.refusalOf(device.keyId);
    if (!row.event) throw eventProblem('event.unknown');
    return { ...row, event: row.event };
  }
}
