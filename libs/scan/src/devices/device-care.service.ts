import { Injectable } from '@nestjs/common';
import { databaseNow, isUuid, RefusedInput, violatedConstraint } from '#kernel';
import { DeviceKeysService, TenantDb } from '#tenancy';
import { DeviceKey } from './device-key.entity.js';
import { ScanningDevice } from './scanning-device.entity.js';
import { texts } from '../locales/scan.texts.js';

/** Where a device works; absent members stay. */
export interface DevicePlace {
  /** null: any event. */
  readonly eventId?: string | null;
  /** null: its users choose. */
  readonly gateId?: string | null;
}

/** What staff do about devices at the door. */
@Injectable()
export class DeviceCareService {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: DeviceKeysService,
  ) {}

  /** Locks a device: it keeps its key and scans nothing from the next request on. @returns false when there is no such device */
  lock(id: string): Promise<boolean> {
    return this.setLocked(id, databaseNow());
  }

  /** Lets a locked device work again. @returns false when there is no such device */
  unlock(id: string): Promise<boolean> {
    return this.setLocked(id, null);
  }

  /** Sends a device to an event and a gate; its app hears it at its next contact. @throws RefusedInput on eventId, gateId */
  async place(id: string, { eventId, gateId }: DevicePlace): Promise<boolean> {
    for (const [field, value] of Object.entries({ eventId, gateId })) {
      if (typeof value === 'string' && !isUuid(value)) throw new RefusedInput(field, texts.localized('gates.unknown'));
    }
    const columns = { ...(eventId !== undefined && { eventId }), ...(gateId !== undefined && { gateId }) };
    if (Object.keys(columns).length === 0) return true;
    try {
      return await this.db.transaction(async (tx) => (await tx.update(ScanningDevice, { id }, columns)).affected === 1);
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'scanning_device_event_id_fkey') throw new RefusedInput('eventId', texts.localized('gates.unknown'));
      if (constraint === 'scanning_device_gate_id_fkey') throw new RefusedInput('gateId', texts.localized('gates.unknown'));
      throw error;
    }
  }

  /**
   * Wipes a device: its keys are revoked, and its app destroys key, lists and names at the next request. Lines that it did not send come to
   * quarantine. Its pairing code no longer pairs. @returns false when there is no such device
   */
  async wipe(id: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const now = databaseNow();
      const { affected } = await tx.update(ScanningDevice, { id }, { wipedAt: now });
      if (affected !== 1) return false;
      await tx.update(DeviceKey, { deviceId: id }, { wipedAt: now });
      await this.keys.revoke(tx, id);
      return true;
    });
  }

  private async setLocked(id: string, lockedAt: Date | null): Promise<boolean> {
    return this.db.transaction(async (tx) => (await tx.update(ScanningDevice, { id }, { lockedAt })).affected === 1);
  }
}
