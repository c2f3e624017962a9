import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { databaseNow, isVisible, RefusedInput, refuseUnfitText, SETTINGS, venueDayStartSql, type Settings } from '#kernel';
import { currentTenant, demandModule, DeviceKeysService, TenantDb, type Tx } from '#tenancy';
import { deviceRoles, type DeviceRole } from '../model/connection.dto.js';
import { DeviceContact } from './device-contact.entity.js';
import { ScanningDevice } from './scanning-device.entity.js';
import { problem } from '../model/scan.problems.js';
import { takenPlaces } from '../statements/places-sql.js';
import { texts } from '../locales/scan.texts.js';

/** A pairing token, returned once: only its hash is stored. */
export interface PairingCode {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly token: string;
  /** Path on the tenant's host. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** Settings of a device that staff may change. */
export interface DeviceChange {
  readonly name?: string;
  readonly role?: DeviceRole;
  /** Without a role: true is the role `search`, false is `scan`. */
  readonly maySearchTickets?: boolean;
}

/** A device as staff see it. */
export interface DeviceOverview {
  readonly id: string;
  readonly name: string;
  /** `revoked`: paired, but its key was revoked; it needs a new code. */
  readonly state: 'waiting' | 'expired' | 'paired' | 'revoked' | 'archived';
  readonly role: DeviceRole;
  readonly maySearchTickets: boolean;
  readonly claimedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly pairingExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
  /** Accepted scans that were not undone, since 04:00 local time, so that one night counts as one day. */
  readonly scansToday: number;
}

export interface DescribedDevice {
  readonly uuid: string;
  readonly name: string;
  readonly claimed: boolean;
  readonly archived: boolean;
  readonly role: DeviceRole;
}

/** Manages the scanning devices of the current tenant on behalf of staff. */
@Injectable()
export class ScanningDevicesService {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: DeviceKeysService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'pairingMinutes'>,
  ) {}

  /** Creates a device with a pairing token. @throws RefusedInput on name or role; Problem 403 `tenant.module` */
  async create(name: string, change: DeviceChange = {}): Promise<PairingCode> {
    demandModule('scanning');
    const trimmed = checkedName(name);
    const rights = rightsOf(change);
    return this.db.transaction(async (tx) => {
      const { identifiers } = await tx.insert(ScanningDevice, { name: trimmed, ...rights });
      return this.issueToken(tx, (identifiers[0] as { id: string }).id, trimmed);
    });
  }

  /** Changes a device; absent members stay unchanged. @returns false when there is no such device. @throws RefusedInput on name, role */
  async change(id: string, { name, ...change }: DeviceChange): Promise<boolean> {
    const columns = {
      ...(name === undefined ? {} : { name: checkedName(name) }),
      ...rightsOf(change),
    };
    return this.db.transaction(async (tx) => {
      if (Object.keys(columns).length === 0) return tx.existsBy(ScanningDevice, { id });
      return (await tx.update(ScanningDevice, { id }, columns)).affected === 1;
    });
  }

  /**
   * Gives a device a new token. Its old key is revoked at once; an archived or wiped device becomes active again. Returns undefined when
   * there is no such device.
   * @throws Problem 403 `tenant.module`, 409 `device.no_place` when it is active no more and other phones took its place of a team code
   */
  async renew(id: string): Promise<PairingCode | undefined> {
    demandModule('scanning');
    return this.db.transaction(async (tx) => {
      const device = await lockWithPlace(tx, id, { clearsWipe: true });
      if (!device) return undefined;
      await this.keys.revoke(tx, id);
      // What the former phone said about itself is not true of the next one.
      await tx.delete(DeviceContact, { deviceId: id });
      return this.issueToken(tx, id, device.name);
    });
  }

  /**
   * Archives a device: its key is answered 403 from the next request on, and its token no longer pairs. @returns false when there is no
   * such device
   */
  async archive(id: string): Promise<boolean> {
    return this.setArchived(id, true);
  }

  /**
   * Makes an archived device active again with its existing key. @returns false when there is no such device
   * @throws Problem 409 `device.no_place` when other phones took its place of a team code
   */
  async restore(id: string): Promise<boolean> {
    return this.setArchived(id, false);
  }

  /** A device as the connection test describes it. */
  async describe(id: string): Promise<DescribedDevice | undefined> {
    const [device] = await this.db.statement<DescribedDevice & Record<string, unknown>>(describeStatement, [id]);
    return device;
  }

  /** Devices for the panel and the command line, archived ones last. */
  async overview(filter: { id?: string } = {}): Promise<DeviceOverview[]> {
    const devices = await this.db.statement<Omit<DeviceOverview, 'lastSeenAt'> & { keyId: string | null }>(overviewStatement, [
      currentTenant().timeZone,
      filter.id ?? null,
    ]);
    // A separate statement, because devices are in the tenant's schema and keys are shared.
    const uses = await this.keys.usesOf(devices.map(({ keyId }) => keyId).filter((id) => id !== null));
    return devices.map(({ keyId, state, ...device }) => {
      const { lastUsedAt = null, revokedAt = null } = (keyId && uses.get(keyId)) || {};
      return {
        ...device,
        state: revokedAt && state !== 'archived' ? 'revoked' : state,
        lastSeenAt: lastUsedAt,
      };
    });
  }

  private async issueToken(tx: Tx, deviceId: string, deviceName: string): Promise<PairingCode> {
    const token = randomBytes(32).toString('base64url');
    const [row] = await tx
      .query<{ expires_at: Date }[]>(
        `update scanning_device set pairing_token_hash = $2, pairing_expires_at = now() + make_interval(mins => $3::int),
         claimed_at = null, key_id = null, archived_at = null, wiped_at = null, installation_hash = null
       where id = $1 returning pairing_expires_at as expires_at`,
        [deviceId, hashToken(token), this.settings.pairingMinutes],
      )
      .then(rowsOf<{ expires_at: Date }>);
    return {
      deviceId,
      deviceName,
      token,
      path: `/scan/${token}/pair`,
      expiresAt: (row as { expires_at: Date }).expires_at,
    };
  }

  private setArchived(id: string, archived: boolean): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const device = archived ? await lock(tx, id) : await lockWithPlace(tx, id);
      if (!device) return false;
      await tx.update(ScanningDevice, { id }, { archivedAt: archived ? (device.archivedAt ?? databaseNow()) : null });
      await this.keys.suspend(tx, id, archived);
      return true;
    });
  }
}

/** Only the hash of a pairing token is stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The columns of a role. @throws RefusedInput on role */
function rightsOf({ role, maySearchTickets }: DeviceChange): Partial<Pick<ScanningDevice, 'role' | 'maySearchTickets'>> {
  const wanted = role ?? (maySearchTickets === undefined ? undefined : maySearchTickets ? 'search' : 'scan');
  if (wanted === undefined) return {};
  if (!deviceRoles.includes(wanted)) throw new RefusedInput('role', texts.localized('scanningDevices.roleInvalid'));
  return { role: wanted, maySearchTickets: wanted === 'search' || wanted === 'supervisor' };
}

/** TypeORM answers an UPDATE … RETURNING with [rows, count]. */
function rowsOf<Row>(result: unknown): Row[] {
  const [rows] = result as [Row[], number];
  return rows;
}

function lock(tx: Tx, id: string): Promise<ScanningDevice | null> {
  return tx.findOne(ScanningDevice, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/**
 * Locks a device that becomes active again. Of a team code it needs a place, which archived and wiped devices do not take. The code is
 * locked before its device, as phones that pair do: they and restored devices take places one after the other.
 * @param clearsWipe a wiped device becomes active, too @throws Problem 409 `device.no_place`
 */
async function lockWithPlace(tx: Tx, id: string, { clearsWipe = false } = {}): Promise<ScanningDevice | null> {
  const [code] = await tx.query<{ id: string; places: number }[]>(
    `select c.id, c.places from team_code c where c.id = (select d.team_code_id from scanning_device d where d.id = $1) for update`,
    [id],
  );
  const device = await lock(tx, id);
  if (!device || !code) return device;
  const takesPlace = device.archivedAt === null && device.wipedAt === null;
  if (takesPlace || (device.wipedAt !== null && !clearsWipe)) return device;
  const [{ taken }] = (await tx.query(`select ${takenPlaces('c')} as taken from team_code c where c.id = $1`, [code.id])) as [
    { taken: number },
  ];
  if (taken >= code.places) throw problem('device.no_place', { parameters: { places: code.places } });
  return device;
}

function checkedName(name: string): string {
  refuseUnfitText('name', name, 100);
  if (isVisible(name)) return name.trim();
  throw new RefusedInput('name', texts.localized('scanningDevices.nameInvalid'));
}

const describeStatement = {
  name: 'device-describe',
  text: `select id as uuid, name, claimed_at is not null as claimed, archived_at is not null as archived, role
    from {tenant}.scanning_device where id = $1`,
};

const overviewStatement = {
  name: 'device-overview',
  text: `select d.id, d.name, d.role, d.may_search_tickets as "maySearchTickets", d.claimed_at as "claimedAt",
      d.archived_at as "archivedAt",
    d.pairing_expires_at as "pairingExpiresAt",
      d.created_at as "createdAt", d.key_id as "keyId",
      case when d.archived_at is not null then 'archived' when d.claimed_at is not null then 'paired'
        when d.pairing_expires_at > now() then 'waiting' else 'expired' end as state,
      coalesce(today.scans, 0) as "scansToday"
    from {tenant}.scanning_device d
    left join (select l.device_id, count(*)::int as scans from {tenant}.scan_log l
      where l.recorded_at >= ${venueDayStartSql('$1')} and l.action = 'scan' and l.outcome = 'accepted'
        and not exists (select 1 from {tenant}.scan_log u where u.undoes = l.id)
      group by l.device_id) today on today.device_id = d.id
    where $2::uuid is null or d.id = $2
    order by d.archived_at is not null, d.created_at desc, d.id`,
};
