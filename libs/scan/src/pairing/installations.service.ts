import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '#kernel';
import { hashSecret, DeviceKeysService, TenantDb, type Tx } from '#tenancy';
import { PairingService } from '../devices/pairing.service.js';
import { hashToken } from '../devices/scanning-devices.service.js';
import type { AssignedDevice } from '../devices/device-of.js';
import { problem } from '../model/scan.problems.js';
import { parseTeamCode } from './team-code-format.js';
import { TeamCodesService } from './team-codes.service.js';

/** A request to pair: checked by its class. */
export interface PairingRequest {
  readonly code: string;
  readonly installation: string;
  readonly label: string | null;
}

/** A device that was paired, with the secrets that cannot be read again. */
export interface PairedInstallation extends AssignedDevice {
  readonly apiKey: string;
  readonly quarantineToken: string;
}

const claimedColumns = `d.id, d.name, d.role, d.event_id as "eventId", d.gate_id as "gateId",
  (select c.gate_ids from team_code c where c.id = d.team_code_id) as "gateIds"`;

/** Starts every quarantine token; the id of the key and the secret follow. */
export const quarantinePrefix = 'gqtn';

/** Pairs installations of the app with devices, by the token of a device or by a team code. */
@Injectable()
export class InstallationsService {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: DeviceKeysService,
    private readonly pairing: PairingService,
    private readonly teamCodes: TeamCodesService,
  ) {}

  /**
   * Uses a code and returns the device with a new key. The same installation gets the same device again.
   * @throws Problem 404 `pairing.unknown`, 410 `pairing.spent`, `pairing.expired`, 409 `pairing.full`, 403 `pairing.refused`
   */
  async pair(request: PairingRequest): Promise<PairedInstallation> {
    const installation = hashToken(request.installation);
    const token = request.code.trim();
    if (/^[A-Za-z0-9_-]{43}$/.test(token)) return this.byToken(token, installation);
    const code = parseTeamCode(request.code);
    const id = code && (await this.teamCodes.find(code));
    if (!id) throw problem('pairing.unknown');
    return this.issue((tx, keyId) => placeOf(tx, id, { keyId, installation, label: request.label }));
  }

  private async byToken(token: string, installation: Buffer): Promise<PairedInstallation> {
    const paired = await this.issue((tx, keyId) => claim(tx, token, { keyId, installation }));
    if (paired) return paired;
    await this.pairing.check(token);
    // Staff renewed or restored the device between the two statements; the caller may try again with the new code.
    throw problem('pairing.spent');
  }

  /** Runs `claiming` with the id of a new key, and stores the key when it found a device. */
  private issue(claiming: (tx: Tx, keyId: string) => Promise<AssignedDevice>): Promise<PairedInstallation>;
  private issue(claiming: (tx: Tx, keyId: string) => Promise<AssignedDevice | undefined>): Promise<PairedInstallation | undefined>;
  private async issue(claiming: (tx: Tx, keyId: string) => Promise<AssignedDevice | undefined>): Promise<PairedInstallation | undefined> {
    const minted = this.keys.mint();
    const secret = randomBytes(32).toString('base64url');
    const work = async (tx: Tx): Promise<AssignedDevice | undefined> => {
      const claimed = await claiming(tx, minted.id);
      if (!claimed) return undefined;
      await tx.query('insert into device_key (key_id, device_id, quarantine_hash) values ($1, $2, $3)', [
        minted.id,
        claimed.id,
        hashSecret(secret),
      ]);
      // Separate statements, because devices are in the tenant's schema and keys are shared.
      await this.keys.store(tx, minted, claimed);
      await this.keys.revoke(tx, claimed.id, minted.id);
      return claimed;
    };
    const device = await this.db.transaction(work).catch((error: unknown) => {
      // The same installation spends two codes of one team at the same moment: the other one was first.
      throw violatedConstraint(error) === 'scanning_device_installation' ? problem('pairing.spent') : error;
    });
    return device && { ...device, apiKey: minted.key, quarantineToken: `${quarantinePrefix}_${minted.id}_${secret}` };
  }
}

/**
 * Uses the token of one device. Raw SQL, because the lock with its condition decides the race: of simultaneous installations one gets a
 * row. A repeat by the same installation gets the row again, so that a lost answer does not lose the code. A token that pairs nothing
 * changes nothing.
 */
async function claim(tx: Tx, token: string, by: { keyId: string; installation: Buffer }): Promise<AssignedDevice | undefined> {
  const [found] = await tx.query<{ id: string; teamCodeId: string | null }[]>(
    `select d.id, d.team_code_id as "teamCodeId" from scanning_device d
     where d.pairing_token_hash = $1 and d.archived_at is null and d.wiped_at is null and d.pairing_expires_at > now()
       and (d.claimed_at is null or d.installation_hash = $2) for update`,
    [hashToken(token), by.installation],
  );
  if (!found) return undefined;
  // A phone that was another device of the same team code leaves it.
  await tx.query('update scanning_device set installation_hash = null where installation_hash = $1 and team_code_id = $2 and id <> $3', [
    by.installation,
    found.teamCodeId,
    found.id,
  ]);
  const [rows] = await tx.query<[AssignedDevice[], number]>(
    `update scanning_device d set claimed_at = coalesce(d.claimed_at, (select now())), key_id = $2, installation_hash = $3
     where d.id = $1 returning ${claimedColumns}`,
    [found.id, by.keyId, by.installation],
  );
  return rows[0];
}

interface Place {
  readonly keyId: string;
  readonly installation: Buffer;
  readonly label: string | null;
}

/**
 * The device of an installation under a team code: its own, or a new one while places are free. The lock on the code decides: installations
 * take places one after the other. Archived and wiped devices take no place.
 */
async function placeOf(tx: Tx, teamCodeId: string, { keyId, installation, label }: Place): Promise<AssignedDevice> {
  const [team] = await tx.query<{ name: string; places: number; over: boolean }[]>(
    `select name, places, ended_at is not null or expires_at <= now() as over from team_code where id = $1 for update`,
    [teamCodeId],
  );
  if (!team) throw problem('pairing.unknown');
  if (team.over) throw problem('pairing.expired');
  const [known] = await tx.query<{ id: string; excluded: boolean }[]>(
    `select id, archived_at is not null or wiped_at is not null as excluded from scanning_device
     where team_code_id = $1 and installation_hash = $2`,
    [teamCodeId, installation],
  );
  if (known?.excluded) throw problem('pairing.refused');
  const id = known?.id ?? (await addDevice(tx, teamCodeId, team, label));
  const [rows] = await tx.query<[AssignedDevice[], number]>(
    `update scanning_device d set key_id = $2, installation_hash = $3, claimed_at = coalesce(d.claimed_at, (select now()))
     where d.id = $1 returning ${claimedColumns}`,
    [id, keyId, installation],
  );
  return rows[0] as AssignedDevice;
}

async function addDevice(tx: Tx, id: string, team: { name: string; places: number }, label: string | null): Promise<string> {
  const [{ taken, number }] = (await tx.query<{ taken: number; number: number }[]>(
    `select (count(*) filter (where archived_at is null and wiped_at is null))::int as taken, count(*)::int + 1 as number
     from scanning_device where team_code_id = $1`,
    [id],
  )) as [{ taken: number; number: number }];
  if (taken >= team.places) throw problem('pairing.full');
  const name = `${team.name} ${number}${label ? ` (${label})` : ''}`;
  const [row] = await tx.query<{ id: string }[]>(
    `insert into scanning_device (name, role, may_search_tickets, event_id, gate_id, team_code_id)
     select $2, c.role, c.role in ('search', 'supervisor'), c.event_id, c.gate_id, c.id from team_code c where c.id = $1 returning id`,
    [id, name],
  );
  return (row as { id: string }).id;
}
