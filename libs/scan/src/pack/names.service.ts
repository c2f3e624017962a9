import { Injectable } from '@nestjs/common';
import { SigningKeysService } from '#booking';
import { eventProblem } from '#catalogue';
import { FairLimit, pauses } from '#kernel';
import { ApiKeysService, TenantDb } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { problem } from '../model/scan.problems.js';
import { namesStatement } from './names.statement.js';
import { linesOf } from './sealed-names.service.js';

type Guest = readonly [id: string, keyId: number, codeVersion: number, ...shown: (string | number)[]];

interface NamesRow extends Record<string, unknown> {
  readonly maySearch: boolean;
  readonly hasEvent: boolean;
  readonly position: string;
  readonly lines: string;
}

/** Names of an event's tickets, for devices that search without a connection. */
@Injectable()
export class NamesService {
  /** Every ticket needs a signature: 10,000 take a third of a second, in slices. */
  private readonly turns = new FairLimit({ total: 1, each: 1, waiting: 50, waitMs: 20_000, refuse: () => busy() });

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly signingKeys: SigningKeysService,
  ) {}

  /**
   * The members `position` and `names` of the answer, as JSON.
   * @throws Problem 403 `device.permission`, 404 `event.unknown`, 429 `pack.busy`, 401/403 when the key was revoked or suspended
   */
  of(device: Device, eventId: string): Promise<string> {
    return this.turns.run(async () => {
      const [row] = await this.db.statement<NamesRow>(namesStatement, [eventId, device.deviceId, device.keyId]);
      if (!row) throw await this.keys.refusalOf(device.keyId);
      if (!row.maySearch) throw problem('device.permission');
      if (!row.hasEvent) throw eventProblem('event.unknown');
      const names: string[] = [];
      const pause = pauses();
      for (const line of linesOf(row.lines)) {
        await pause();
        const [id, signingKeyId, codeVersion, ...shown] = JSON.parse(line) as Guest;
        names.push(JSON.stringify([id, await this.signingKeys.codeOf({ id, signingKeyId, codeVersion }), ...shown]));
      }
      return `"position":${JSON.stringify(row.position)},"names":[${names.join(',')}]`;
    });
  }
}

function busy(): Error {
  return problem('pack.busy', { headers: { 'Retry-After': '5' } });
}
