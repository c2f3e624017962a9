import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentLanguage, isoInZone } from '#kernel';
import { ApiKeysService, currentTenant, TenantDb, type DeviceRefusals } from '#tenancy';
import { problem } from '../model/scan.problems.js';
import { sayWhen } from '../model/scan.messages.js';
import { deviceIsOpen, hoursColumns, hoursJoins } from '../statements/opening-sql.js';

const accessStatement = {
  name: 'device-access',
  text: `select d.locked_at is not null as locked, not ${deviceIsOpen} as closed, ${hoursColumns}
    from {tenant}.scanning_device d ${hoursJoins} where d.id = $1`,
};

const wipedStatement = {
  name: 'device-key-wiped',
  text: 'select 1 from {tenant}.device_key where key_id = $1 and wiped_at is not null',
};

interface AccessRow {
  readonly locked: boolean;
  readonly closed: boolean;
  readonly opensAt: string | null;
  readonly closesAt: string | null;
}

/** Says why a device is refused although its key is valid. Asked after a refusal only, so that accepted requests pay nothing. */
@Injectable()
export class DeviceAccessService implements OnModuleInit, DeviceRefusals {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
  ) {}

  onModuleInit(): void {
    this.keys.askAboutDevices(this);
  }

  async refusalOf(deviceId: string): Promise<Error | undefined> {
    const [row] = await this.db.statement<AccessRow & Record<string, unknown>>(accessStatement, [deviceId], true);
    if (!row?.closed) return undefined;
    const { locked, opensAt, closesAt } = row;
    // Without hours, the event of the team code was deleted.
    if (locked || opensAt === null || closesAt === null) return problem('device.locked');
    const { timeZone } = currentTenant();
    const said = (instant: string): string => sayWhen(instant, currentLanguage(), timeZone);
    return problem('device.closed', {
      parameters: { opens: said(opensAt), closes: said(closesAt) },
      members: { opens_at: isoInZone(opensAt, timeZone), closes_at: isoInZone(closesAt, timeZone) },
    });
  }

  async wasWiped(keyId: string): Promise<boolean> {
    return (await this.db.statement(wipedStatement, [keyId], true)).length > 0;
  }
}
