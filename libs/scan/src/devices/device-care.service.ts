import { Injectable } from '@nestjs/common';
import { databaseNow, isUuid, RefusedInput, violatedConstraint } from '#kernel';
import { DeviceKeysService, TenantDb, type Tx } from '#tenancy';
import { refuseUnfitGates } from '../gates/fitting-gates.js';
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

  /**
   * Sends a device to an event and a gate; its app hears it at its next contact. @returns false when there is no such device
   * @throws RefusedInput on eventId, gateId
   */
  async place(id: string, { eventId, gateId }: DevicePlace): Promise<boolean> {
    for (const [field, value] of Object.entries({ eventId, gateId })) {
      if (typeof value === 'string' && !isUuid(value)) throw new RefusedInput(field, texts.localized('gates.unknown'));
    }
    try {
      return await this.db.transaction((tx) => placeIn(tx, id, { eventId, gateId: gateId?.toLowerCase() ?? gateId }));
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'scanning_device_event_id_fkey') throw new RefusedInput('eventId', texts.localized('gates.unknown'));
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

interface StoredPlace {
  readonly eventId: string | null;
  readonly gateId: string | null;
  /** The gates that its team code allows; null: all. */
  readonly gateIds: readonly string[] | null;
}

/** The lock on the device decides between members of staff who move it at once: each change is checked against the one before. */
async function placeIn(
  tx: Tx,
  id: string,
  { eventId, gateId }: { eventId: string | null | undefined; gateId: string | null | undefined },
): Promise<boolean> {
  const [device] = await tx.query<StoredPlace[]>(
    `select d.event_id as "eventId", d.gate_id as "gateId", (select c.gate_ids from team_code c where c.id = d.team_code_id) as "gateIds"
     from scanning_device d where d.id = $1 for no key update`,
    [id],
  );
  if (!device) return false;
  const place = { eventId: eventId === undefined ? device.eventId : eventId, gateId: gateId === undefined ? device.gateId : gateId };
  if (place.gateId !== null) {
    await refuseUnfitGates(tx, { gateId: [place.gateId] }, place.eventId);
    if (device.gateIds?.includes(place.gateId) === false) throw new RefusedInput('gateId', texts.localized('gates.notAllowed'));
  }
  await tx.query('update scanning_device set event_id = $2, gate_id = $3, moves = moves + 1 where id = $1', [
    id,
    place.eventId,
    place.gateId,
  ]);
  return true;
}
