import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { eventProblem } from '#catalogue';
import { FairLimit, pauses } from '#kernel';
import { ApiKeysService, TenantDb } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { limits } from '../limits.js';
import { packBusy, problem } from '../model/scan.problems.js';
import { PackSaltService } from '../pack-data/pack-salt.service.js';
import { namesDownloadStatement, namesStatement } from './names.statement.js';
import { linesOf } from './sealed-names.service.js';

type Guest = readonly [id: string, first: string, last: string, email: string, reference: string, price: string, state: number];

interface NamesRow extends Record<string, unknown> {
  readonly maySearch: boolean;
  readonly hasEvent: boolean;
  readonly position: string;
  readonly lines: string;
}

/** The names of an event. */
export interface Names {
  /** Equal as long as the names are the same. */
  readonly version: object;
  /** The members `position` and `names` of the answer, as JSON. */
  readonly members: string;
}

/**
 * Names of an event's tickets, for devices that search without a connection: what the search needs, and no codes. A whole address is found
 * by its mark, and cannot be read.
 */
@Injectable()
export class NamesService {
  private readonly turns = new FairLimit({ ...limits.names.turns, refuse: packBusy });

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly salts: PackSaltService,
  ) {}

  /** @throws Problem 403 `device.permission`, 404 `event.unknown`, 429 `pack.busy`, 401/403 when the key was revoked or suspended */
  of(device: Device, eventId: string): Promise<Names> {
    return this.turns.run(async () => {
      const [row] = await this.db.statement<NamesRow>(namesStatement, [eventId, device.deviceId, device.keyId]);
      if (!row) throw await this.keys.refusalOf(device.keyId);
      if (!row.maySearch) throw problem('device.permission');
      if (!row.hasEvent) throw eventProblem('event.unknown');
      const salt = this.salts.of(eventId).bytes;
      const names: string[] = [];
      const pause = pauses();
      for (const line of linesOf(row.lines)) {
        await pause();
        const [id, first, last, email, ...shown] = JSON.parse(line) as Guest;
        // In the places of the code and the address: earlier versions of the app look a ticket up by its id, and know no marks.
        names.push(JSON.stringify([id, id, first, last, '', ...shown, emailMark(salt, email)]));
      }
      const text = names.join(',');
      const version = { names: createHash('sha256').update(text).digest('base64url') };
      return { version, members: `"position":${JSON.stringify(row.position)},"names":[${text}]` };
    });
  }

  /** Staff see in the scan log that a device got the names. */
  async recordDownload({ deviceId }: Device, eventId: string): Promise<void> {
    await this.db.statement(namesDownloadStatement, [eventId, deviceId]);
  }
}

/** Stands for an address: the first 8 bytes of its hash with the salt of the list. */
function emailMark(salt: Buffer, email: string): string {
  return email === '' ? '' : createHmac('sha256', salt).update(email.toLowerCase()).digest('hex').slice(0, 16);
}
