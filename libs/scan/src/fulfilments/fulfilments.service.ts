import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, type Settings } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import { ReservationChangesService } from '#tickets';
import type { Device } from '../devices/device-of.js';
import { fulfilStatement, staffFulfilStatement, staffUndoFulfilStatement, undoFulfilStatement } from '../statements/fulfil-statement.js';
import type { ScanRequest, UndoRequest } from '../model/scan.dto.js';
import { requestHash } from '../scanning/scan-request.js';
import { circumstances, ScanService, versionOf, type DecidedAttempt } from '../scanning/scan.service.js';
import { texts } from '../locales/scan.texts.js';

interface Staff {
  readonly id: string;
  readonly name: string;
}

/** Hands out goods of reservations (products of kind P, R, T, M), each once. */
@Injectable()
export class FulfilmentsService {
  private readonly fulfilStatement: PreparedStatement;
  private readonly undoStatement: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    private readonly scan: ScanService,
    private readonly changes: ReservationChangesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.fulfilStatement = fulfilStatement(settings);
    this.undoStatement = undoFulfilStatement(settings);
  }

  /**
   * Hands out the goods of a code; one statement decides and logs.
   * @throws Problem as `ScanService.attempt`
   */
  async fulfil(device: Device, request: ScanRequest): Promise<DecidedAttempt> {
    const code = await this.scan.judgeRequest(request);
    if ('cardTag' in code) return this.scan.ownersCard('fulfil', device, code.cardTag, request);
    const id = 'ticketId' in code ? code.ticketId : null;
    const values = [
      id,
      device.deviceId,
      device.keyId,
      request.event_uuid ?? null,
      request.scan_id ?? null,
      requestHash(request),
      request.device_time ?? null,
      'fault' in code ? code.fault : null,
      circumstances(),
      versionOf(code),
    ];
    return this.scan.decide('fulfil', device, this.fulfilStatement, values, () => this.scan.card('fulfil', device, id, request));
  }

  /**
   * Undoes this device's handing out within the allowed time. Repeating a completed undo returns the same answer.
   * @throws Problem as `ScanService.undo`
   */
  async undo(device: Device, request: UndoRequest): Promise<DecidedAttempt> {
    const scanId = request.scan_id ?? null;
    const code = scanId === null ? await this.scan.judgeRequest(request) : undefined;
    return this.scan.decide('undo_fulfil', device, this.undoStatement, [
      code && 'ticketId' in code ? code.ticketId : null,
      device.deviceId,
      device.keyId,
      scanId,
      request.reason,
      request.device_time ?? null,
      this.settings.undoMinutes,
      circumstances(),
      code && 'fault' in code ? code.fault : null,
      code ? versionOf(code) : null,
    ]);
  }

  /** Hands goods out on behalf of a member of staff. @throws RefusedInput on `status` when there is nothing to hand out */
  async fulfilByStaff(ticketId: string, staff: Staff): Promise<void> {
    const [handed] = await this.db.statement(staffFulfilStatement, [ticketId, staff.id, staff.name]);
    if (handed) return;
    throw new RefusedInput('status', texts.localized('fulfilments.nothingToHandOut'));
  }

  /**
   * Undoes handing out on behalf of a member of staff. Goods from which the buyer withdrew are back then: they are cancelled and refunded.
   * @returns whether they are cancelled
   * @throws RefusedInput on `reason`; on `status` when the goods are not handed out
   */
  async undoByStaff(ticketId: string, reason: string, staff: Staff): Promise<boolean> {
    const why = reason.trim();
    if (why === '' || why.length > 500) {
      throw new RefusedInput('reason', texts.localized('fulfilments.reasonMissing'));
    }
    const [taken] = await this.db.statement<{ withdrawn: boolean }>(staffUndoFulfilStatement, [ticketId, staff.id, why]);
    if (!taken) throw new RefusedInput('status', texts.localized('fulfilments.notHandedOut'));
    // Until it is cancelled, nobody can hand it out, and staff can cancel it.
    if (taken.withdrawn) await this.changes.cancelTicket(ticketId, { reason: 'withdrawal' });
    return taken.withdrawn;
  }
}
