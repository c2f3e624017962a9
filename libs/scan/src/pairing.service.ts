import { Injectable } from '@nestjs/common';
import { ApiKeys, currentTenant, storeDeviceKey, TenantDb } from '#tenancy';
import { problem } from './scan.problems.js';
import { hashToken } from './scanning-devices.service.js';

export interface PairedDevice {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly apiKey: string;
}

/**
 * Spends a token and stores the key in one statement: of any number of simultaneous calls exactly one updates the device, and only it
 * finds a row to make a key for.
 */
const claimStatement = {
  name: 'pairing-claim',
  text: `with claimed as (
      update {tenant}.scanning_device set claimed_at = now(), key_id = $2
      where pairing_token_hash = $1 and claimed_at is null and archived_at is null and pairing_expires_at > now()
      returning id as device_id, name as device_name
    ), stored as (${storeDeviceKey('claimed', { id: '$2', secretHash: '$3::bytea', tenantId: '$4::uuid' })})
    select device_id, device_name from claimed`,
};

const stateStatement = {
  name: 'pairing-state',
  text: `select claimed_at is not null as claimed, pairing_expires_at <= now() or archived_at is not null as expired
    from {tenant}.scanning_device where pairing_token_hash = $1`,
};

/** Pairing a device: the token in the path is the credential. */
@Injectable()
export class Pairing {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeys,
  ) {}

  /** @throws Problem 404 `pairing.unknown`, 410 `pairing.spent`, `pairing.expired` */
  async claim(token: string): Promise<PairedDevice> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) throw problem('pairing.unknown');
    const minted = this.keys.mintDeviceKey();
    const [device] = await this.db.statement<{ device_id: string; device_name: string }>(claimStatement, [
      hashToken(token),
      minted.id,
      minted.secretHash,
      currentTenant().id,
    ]);
    if (device) return { deviceId: device.device_id, deviceName: device.device_name, apiKey: minted.key };
    await this.check(token);
    // Between the claim and the look the staff renewed or restored the device; the caller may try again with the new code.
    throw problem('pairing.spent');
  }

  /** Says whether a token could be spent, and spends nothing. @throws as `claim` */
  async check(token: string): Promise<void> {
    const known = /^[A-Za-z0-9_-]{43}$/.test(token)
      ? await this.db.statement<{ claimed: boolean; expired: boolean }>(stateStatement, [hashToken(token)])
      : [];
    const [state] = known;
    if (!state) throw problem('pairing.unknown');
    if (state.claimed) throw problem('pairing.spent');
    if (state.expired) throw problem('pairing.expired');
  }
}
