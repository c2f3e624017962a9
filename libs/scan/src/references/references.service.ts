import { Inject, Injectable } from '@nestjs/common';
import { SigningKeysService } from '#tickets';
import { RateLimits, scansTotal, SETTINGS, type Settings } from '#kernel';
import { ApiKeysService, TenantDb, type PreparedStatement } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import type { ScanDirection } from '../model/scan-log.entity.js';
import { problem } from '../model/scan.problems.js';
import { referenceStatement } from './reference.statement.js';

export interface ReferenceQuery {
  readonly eventId: string;
  /** The first and the last UUID that begin with the reference. */
  readonly ids: readonly [first: string, last: string];
  readonly direction: ScanDirection;
}

/** `ambiguous`: several reservations begin with the reference. */
export type FoundReference = { readonly ticketId: string; readonly code: string | null } | { readonly fault: 'unknown' | 'ambiguous' };

interface ReferenceRow extends Record<string, unknown> {
  readonly permitted: boolean;
  readonly getsCode: boolean;
  readonly known: boolean;
  readonly ticketId: string | null;
  readonly signingKeyId: number;
  readonly codeVersion: number;
}

/** Finds the tickets of printed references, for devices that may not search. */
@Injectable()
export class ReferencesService {
  private readonly statement: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly signingKeys: SigningKeysService,
    private readonly limits: RateLimits,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = referenceStatement(settings);
  }

  /**
   * The ticket of a printed reference, for devices that do not search with its code: others know the ids of all tickets, and would get all
   * codes. References are short, so that look-ups that find nothing are limited for each device.
   * @throws Problem 403 `device.permission`, 429 `rate.limited`, 401/403 when the key was revoked or suspended in the meantime
   */
  async find(device: Device, { eventId, ids, direction }: ReferenceQuery): Promise<FoundReference> {
    // Before the look-up, so that simultaneous guesses are limited, too.
    this.limits.countKnown('references', device.deviceId);
    const [row] = await this.db.statement<ReferenceRow>(this.statement, [eventId, device.deviceId, device.keyId, ...ids, direction]);
    if (!row) throw await this.keys.refusalOf(device.keyId);
    if (!row.permitted) throw problem('device.permission');
    if (row.ticketId === null) {
      const fault = row.known ? 'ambiguous' : 'unknown';
      scansTotal.inc({ action: 'reference', outcome: fault });
      return { fault };
    }
    this.limits.giveBackKnown('references', device.deviceId);
    const { ticketId: id, signingKeyId, codeVersion } = row;
    return { ticketId: id, code: row.getsCode ? await this.signingKeys.codeOf({ id, signingKeyId, codeVersion }) : null };
  }
}
