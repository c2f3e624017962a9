import { Injectable } from '@nestjs/common';
import { ApiKey } from './api-key.entity.js';
import { mintKey, type MintedKey } from './api-key-format.js';
import { currentTenant } from '../../database/context/tenant-context.js';
import { anyOf } from '../../database/transactions/rows-by-id.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';

/** The keys of scanning devices of the current tenant. */
@Injectable()
export class DeviceKeysService {
  constructor(private readonly db: TenantDb) {}

  /** Creates a key. `store` stores it. */
  mint(): MintedKey {
    return mintKey('gdev');
  }

  /** Stores the key of a device, in the transaction that uses up its pairing code. */
  async store(tx: Tx, { id, secretHash }: MintedKey, device: { id: string; name: string }): Promise<void> {
    await tx.insert(ApiKey, {
      id,
      secretHash,
      tenantId: currentTenant().id,
      kind: 'gdev',
      name: device.name,
      deviceId: device.id,
    });
  }

  /** Last use and revocation of keys, by id. */
  async usesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Pick<ApiKey, 'lastUsedAt' | 'revokedAt'>>> {
    if (ids.length === 0) return new Map();
    const where = { id: anyOf(ids), tenantId: currentTenant().id };
    const keys = await this.db.shared((tx) => tx.find(ApiKey, { select: { id: true, lastUsedAt: true, revokedAt: true }, where }));
    return new Map(keys.map((key) => [key.id, key]));
  }

  /**
   * Revokes the keys of a device permanently. Every process refuses them from the next request on.
   * @param newest this key stays, and so do those of the last two minutes: answers to repeated requests may arrive in any order
   */
  async revoke(tx: Tx, deviceId: string, newest?: string): Promise<void> {
    await tx.query(
      `update shared.api_key set revoked_at = (select now())
       where tenant_id = $1 and device_id = $2 and revoked_at is null
         and ($3::text is null or id <> $3 and created_at < (select now() - interval '2 minutes'))`,
      [currentTenant().id, deviceId, newest ?? null],
    );
  }

  /** Suspends or reactivates the keys of a device. */
  async suspend(tx: Tx, deviceId: string, suspended: boolean): Promise<void> {
    await tx.query(
      `update shared.api_key set suspended_at = ${suspended ? 'coalesce(suspended_at, (select now()))' : 'null'}
       where tenant_id = $1 and device_id = $2 and revoked_at is null`,
      [currentTenant().id, deviceId],
    );
  }
}
