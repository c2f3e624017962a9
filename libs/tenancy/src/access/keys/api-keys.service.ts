import { Injectable } from '@nestjs/common';
import { currentClient, FairLimit, isVisible, Kept, RefusedInput, refuseUnfitTexts, serverBusy } from '#kernel';
import ipaddr from 'ipaddr.js';
import { ApiKey } from './api-key.entity.js';
import { mintKey, parseKey, secretFits, type ParsedKey } from './api-key-format.js';
import type { KeyKind, Scope } from '../../people/roles/api-key-scopes.js';
import { keyStateSql, problemOfKey, type KeyState } from '../../database/context/key-state.js';
import { checkedOrigins } from './origins.js';
import { holdRight } from '../../people/users/owner-rights.js';
import { UserHistoryService } from '../../people/users/user-history.service.js';
import { problem, unauthorized } from '../../database/context/tenancy.problems.js';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { IsNull } from 'typeorm';
import { limits } from '../../limits.js';
import { texts } from '../../locales/tenancy.texts.js';

/** The authenticated caller: the device or integration of the key. */
export type Principal =
  | { readonly kind: 'device'; readonly keyId: string; readonly deviceId: string }
  | {
      readonly kind: 'integration';
      readonly keyId: string;
      readonly ownerId: string | null;
      readonly scopes: readonly Scope[];
      /** Origins of web pages that may use the key. */
      readonly allowedOrigins: readonly string[];
    };

interface KeyRow extends KeyState {
  readonly id: string;
  readonly kind: KeyKind;
  readonly secretHash: Buffer;
  readonly deviceId: string | null;
  readonly ownerId: string | null;
  readonly scopes: Scope[];
  readonly allowedAddresses: string[];
  readonly allowedOrigins: string[];
}

const findKey = {
  name: 'api-key-by-id',
  text: `select id, kind, secret_hash as "secretHash", device_id as "deviceId", owner_id as "ownerId", scopes,
    allowed_addresses as "allowedAddresses", allowed_origins as "allowedOrigins", ${keyStateSql}
    from shared.api_key k where id = $1 and tenant_id = $2`,
};

const touchKey = {
  name: 'api-key-touch',
  text: `update shared.api_key set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < (select now() - interval '1 minute'))`,
};

/** Knows why a device is refused whose key is usable, and which revoked keys belong to wiped devices. */
export interface DeviceRefusals {
  /** The problem of a device that may not work now; undefined: it may. */
  refusalOf(deviceId: string): Promise<Error | undefined>;
  /** Whether staff wiped the device that had this key. */
  wasWiped(keyId: string): Promise<boolean>;
}

/** Maximum lengths of a key's texts. */
const keyTexts = { name: 200, allowedAddresses: { entries: 50, each: 50 } };

export interface NewIntegrationKey {
  readonly name: string;
  readonly ownerId?: string;
  /** The owner creates the key in the panel; it is not created when the owner loses the right to the tenant meanwhile. */
  readonly byOwner?: boolean;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  readonly allowedAddresses?: readonly string[];
  /** Origins of web pages that may use the key. */
  readonly allowedOrigins?: readonly string[];
}

/** Device and integration keys of the current tenant. */
@Injectable()
export class ApiKeysService {
  private readonly recent = new Kept<KeyRow>(limits.keys.kept);
  private readonly touched = new Kept<true>(limits.usedKeys.kept);
  /** Hashes of the secrets of device keys that were accepted. */
  private readonly accepted = new Kept<Buffer>(limits.acceptedKeys.kept);
  /** Look-ups of other device keys, which may be made up: one of a tenant at a time goes before its other work, all others wait. */
  private readonly unverified = new FairLimit({ ...limits.unverifiedKeys.turns, refuse: serverBusy });

  private devices: DeviceRefusals | undefined;

  constructor(
    private readonly db: TenantDb,
    private readonly history: UserHistoryService,
  ) {}

  /** Registers the lib that owns devices. */
  askAboutDevices(devices: DeviceRefusals): void {
    this.devices = devices;
  }

  /**
   * Authenticates a key. With `checkedLater` a key that was looked up within the last second is taken from the cache. The scan statement
   * or the transaction of the request checks `keyIsUsable`, so a revocation still has effect on the next request in every process.
   * @throws Problem 401 `key.malformed`, `key.unknown`, `key.revoked`, `key.wiped`, `key.expired`; 403 `device.archived`,
   * `key.suspended`, `key.address`; 503 `server.busy` when too many device keys that were not accepted before are looked up
   */
  async authenticate(text: string, address: string | undefined, checkedLater: boolean): Promise<Principal> {
    const parsed = parseKey(text);
    if (!parsed) throw problem('key.malformed', unauthorized);
    const kept = checkedLater ? this.keptRow(parsed) : undefined;
    const row = kept ?? (await this.find(parsed));
    if (!secretFits(parsed.secret, row?.secretHash) || row?.kind !== parsed.kind) throw problem('key.unknown', unauthorized);
    if (row.revoked) throw await this.revocationOf(row);
    const refusal = problemOfKey(row, row.kind);
    if (refusal) throw refusal;
    if (row.allowedAddresses.length > 0 && !addressAllowed(address, row.allowedAddresses)) throw problem('key.address');
    this.touch(row.id);
    if (!kept && row.kind === 'gdev') this.accepted.set(cacheKey(parsed), row.secretHash);
    return row.deviceId === null
      ? {
          kind: 'integration',
          keyId: row.id,
          ownerId: row.ownerId,
          scopes: row.scopes,
          allowedOrigins: row.allowedOrigins,
        }
      : { kind: 'device', keyId: row.id, deviceId: row.deviceId };
  }

  /**
   * Returns the problem for a device whose statement found no door: its key failed `keyIsUsable`, or the device may not work now. 503
   * `server.busy` when the reason is gone meanwhile.
   */
  async refusalOf(keyId: string): Promise<Error> {
    const [row] = await this.db.sharedStatement<KeyRow>(findKey, [keyId, currentTenant().id], true);
    this.recent.delete(`${currentTenant().id}:${keyId}`);
    if (!row) return problem('key.revoked', unauthorized);
    if (row.revoked) return this.revocationOf(row);
    const refusal = problemOfKey(row, row.kind);
    if (refusal) return refusal;
    return (row.deviceId !== null && (await this.devices?.refusalOf(row.deviceId))) || serverBusy();
  }

  /** @returns the key, which cannot be read again. @throws RefusedInput on name, scopes, allowedAddresses or allowedOrigins */
  async createIntegrationKey(input: NewIntegrationKey): Promise<{ id: string; key: string }> {
    refuseUnfitTexts(input, keyTexts);
    if (!isVisible(input.name)) throw new RefusedInput('name', texts.localized('apiKeys.nameMissing'));
    if (input.scopes.length === 0) throw new RefusedInput('scopes', texts.localized('apiKeys.scopeMissing'));
    for (const entry of input.allowedAddresses ?? []) {
      if (!(entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry))) {
        throw new RefusedInput('allowedAddresses', texts.localized('apiKeys.addressInvalid', { entry }));
      }
    }
    const allowedOrigins = checkedOrigins(input.allowedOrigins ?? []);
    const minted = mintKey('gkey');
    const tenantId = currentTenant().id;
    const { ownerId, byOwner } = input;
    await this.db.transaction(async (tx) => {
      await tx.insert(ApiKey, {
        id: minted.id,
        tenantId,
        kind: 'gkey',
        name: input.name.trim(),
        secretHash: minted.secretHash,
        ownerId: ownerId ?? null,
        scopes: [...input.scopes],
        allowedAddresses: [...(input.allowedAddresses ?? [])],
        allowedOrigins,
        expiresAt: input.expiresAt ?? null,
      });
      await this.history.tellDirectors(tx, 'key_created');
      // Last, because a new password and the revocation of a right wait for these locks.
      if (ownerId && byOwner && !(await holdRight(tx, ownerId, tenantId, input.scopes)))
        throw new RefusedInput('name', texts.localized('apiKeys.noAccess'));
    });
    return { id: minted.id, key: minted.key };
  }

  /**
   * Sets the origins of web pages that may use an integration key.
   * @returns false when the tenant has no such key, or it is revoked
   * @throws RefusedInput on allowedOrigins
   */
  async allowOrigins(id: string, origins: readonly string[]): Promise<boolean> {
    const allowedOrigins = checkedOrigins(origins);
    const where = { id, tenantId: currentTenant().id, kind: 'gkey' as const, revokedAt: IsNull() };
    const { affected } = await this.db.shared((tx) => tx.update(ApiKey, where, { allowedOrigins }));
    this.recent.delete(`${where.tenantId}:${id}`);
    return affected === 1;
  }

  /** Revokes a key of the current tenant permanently. Every process refuses it from the next request on. */
  async revoke(tx: Tx, id: string): Promise<void> {
    await tx.query('update shared.api_key set revoked_at = coalesce(revoked_at, (select now())) where id = $1 and tenant_id = $2', [
      id,
      currentTenant().id,
    ]);
    this.recent.delete(`${currentTenant().id}:${id}`);
  }

  /**
   * Gives a suspended integration key a new owner and reactivates it, for keys whose owner lost the right to the tenant.
   * @returns false when the tenant has no such suspended key, or the new owner has no right to the tenant
   */
  takeOver(id: string, ownerId: string): Promise<boolean> {
    const tenantId = currentTenant().id;
    return this.db.shared(async (tx) => {
      const key = await tx.findOne(ApiKey, { select: { id: true, scopes: true }, where: { id, tenantId, kind: 'gkey' } });
      if (!key || !(await holdRight(tx, ownerId, tenantId, key.scopes))) return false;
      const [rows] = await tx.query<[unknown[], number]>(
        `update shared.api_key set owner_id = $3, suspended_at = null
         where id = $1 and tenant_id = $2 and kind = 'gkey' and suspended_at is not null and revoked_at is null returning id`,
        [id, tenantId, ownerId],
      );
      this.db.afterCommit(tx, () => void this.recent.delete(`${tenantId}:${id}`));
      return rows.length > 0;
    });
  }

  /** The problem of a revoked key; of a wiped device, so that its app knows that staff meant it. */
  private async revocationOf({ id, deviceId }: Pick<KeyRow, 'id' | 'deviceId'>): Promise<Error> {
    const wiped = deviceId !== null && (await this.devices?.wasWiped(id));
    return problem(wiped ? 'key.wiped' : 'key.revoked', unauthorized);
  }

  /** A key that was looked up within the last second. An integration key that may not be used is looked up again: it may be by now. */
  private keptRow(parsed: ParsedKey): KeyRow | undefined {
    const kept = this.recent.get(cacheKey(parsed));
    const isRefused = kept && (kept.revoked || kept.expired || kept.suspended);
    return isRefused && kept.kind === 'gkey' ? undefined : kept;
  }

  private async find(parsed: ParsedKey): Promise<KeyRow | undefined> {
    if (parsed.kind !== 'gdev') return this.look(parsed, false);
    if (secretFits(parsed.secret, this.accepted.get(cacheKey(parsed)))) return this.look(parsed, true);
    return this.unverified.run(() => this.look(parsed, true), currentClient());
  }

  private async look(parsed: ParsedKey, urgent: boolean): Promise<KeyRow | undefined> {
    const [row] = await this.db.sharedStatement<KeyRow>(findKey, [parsed.id, currentTenant().id], urgent);
    if (row?.revoked) this.accepted.delete(cacheKey(parsed));
    // Only existing keys are cached, so that guesses cannot displace keys of devices.
    if (row) this.recent.set(cacheKey(parsed), row);
    return row;
  }

  /** Not awaited and allowed to fail, because "last used" is only information, and scanning must not wait for it. */
  private touch(id: string): void {
    if (this.touched.has(id)) return;
    this.touched.set(id, true);
    this.db.sharedStatement(touchKey, [id]).catch(() => this.touched.delete(id));
  }
}

function cacheKey(parsed: ParsedKey): string {
  return `${currentTenant().id}:${parsed.id}`;
}

function addressAllowed(address: string | undefined, allowed: readonly string[]): boolean {
  if (!address || !ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return allowed.some((entry) => {
    if (!entry.includes('/')) return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === client.toString();
    const [network, bits] = ipaddr.parseCIDR(entry);
    return network.kind() === client.kind() && client.match([network, bits] as [ipaddr.IPv4, number]);
  });
}
