import { Injectable } from '@nestjs/common';
import { DeviceKeysService, TenantDb, type Tx } from '#tenancy';
import { problem } from '../model/scan.problems.js';
import { hashToken } from './scanning-devices.service.js';

export interface PairedDevice {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly apiKey: string;
}

/**
 * Spends a token. Raw SQL, because the conditional update decides the race: of simultaneous calls exactly one gets a row, and only that one
 * stores its key.
 */
async function spend(tx: Tx, token: string, keyId: string): Promise<{ id: string; name: string } | undefined> {
  const [rows] = await tx.query<[{ id: string; name: string }[], number]>(
    `update scanning_device set claimed_at = now(), key_id = $2
     where pairing_token_hash = $1 and claimed_at is null and archived_at is null and wiped_at is null
       and pairing_expires_at > (select now())
     returning id, name`,
    [hashToken(token), keyId],
  );
  return rows[0];
}

const stateStatement = {
  name: 'pairing-state',
  text: `select claimed_at is not null as claimed, pairing_expires_at <= now() or archived_at is not null or wiped_at is not null as expired
    from {tenant}.scanning_device where pairing_token_hash = $1`,
};

/** Pairs a device: the token in the path is the credential. */
@Injectable()
export class PairingService {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: DeviceKeysService,
  ) {}

  /**
   * Uses the token up and returns the device with its new key. @throws Problem 404 `pairing.unknown`, 410 `pairing.spent`,
   * `pairing.expired`
   */
  async claim(token: string): Promise<PairedDevice> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) throw problem('pairing.unknown');
    const minted = this.keys.mint();
    const device = await this.db.transaction(async (tx) => {
      const spent = await spend(tx, token, minted.id);
      // A separate statement, because devices are in the tenant's schema and keys are shared.
      if (spent) await this.keys.store(tx, minted, spent);
      return spent;
    });
    if (device) return { deviceId: device.id, deviceName: device.name, apiKey: minted.key };
    await this.check(token);
    // Staff renewed or restored the device between the two statements; the caller may try again with the new code.
    throw problem('pairing.spent');
  }

  /** Checks that a token can be used, without using it up. @throws as `claim` */
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
