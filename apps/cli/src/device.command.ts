import type { Command } from 'commander';
import { ScanningDevices } from '#scan';
import { clock, documented, say, show, table } from './output.js';
import { iso, withSession } from './session.js';

interface TenantOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface CreateOptions extends TenantOptions {
  readonly name: string;
}

/** `device create` and `device list`. */
export function deviceCommands(noun: Command): void {
  const create = noun
    .command('create')
    .description('Creates a scanning device and prints the address that pairs it, once and within PAIRING_MINUTES.')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .requiredOption('--name <name>', 'what staff call it');
  documented(create, {
    'device create --tenant demo --name "Door 1"': 'prints the pairing address alone',
    'device create --tenant demo --name "Door 1" --json':
      'prints {"pairing_url", "device_uuid", "device_name", "expires_at"}',
  }).action(createDevice);

  const list = noun
    .command('list')
    .description('Lists scanning devices, archived ones last.')
    .requiredOption('--tenant <slug>', 'the venue or festival');
  documented(list, {
    'device list --tenant demo': 'prints a table of state, last sign of life, scans of today and name',
    'device list --tenant demo --json': 'prints an array of the same',
  }).action(listDevices);
}

async function createDevice(options: CreateOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const host = session.address(tenant, '');
      const code = await session.service(ScanningDevices).create(options.name);
      const pairingUrl = `${host}${code.path}`;
      const document = {
        pairing_url: pairingUrl,
        device_uuid: code.deviceId,
        device_name: code.deviceName,
        expires_at: iso(code.expiresAt, tenant),
      };
      show(options, document, pairingUrl);
      say(`It pairs one device, until ${clock(code.expiresAt, tenant.timeZone)} (${tenant.timeZone}).`);
    }),
  );
}

async function listDevices(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const devices = await session.service(ScanningDevices).overview();
      const document = devices.map((device) => ({
        uuid: device.id,
        name: device.name,
        state: device.state,
        scans_today: device.scansToday,
        last_seen_at: iso(device.lastSeenAt, tenant),
        claimed_at: iso(device.claimedAt, tenant),
        archived_at: iso(device.archivedAt, tenant),
        pairing_expires_at: iso(device.pairingExpiresAt, tenant),
        created_at: iso(device.createdAt, tenant),
      }));
      const rows = devices.map(({ id, state, lastSeenAt, scansToday, name }) => [
        id,
        state,
        clock(lastSeenAt, tenant.timeZone),
        scansToday,
        name,
      ]);
      show(
        options,
        document,
        table(['UUID', 'STATE', 'LAST SEEN', 'SCANS TODAY', 'NAME'], rows, 'There is no device.'),
      );
    }),
  );
}
