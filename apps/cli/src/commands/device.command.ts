import { isUuid } from '#kernel';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { deviceRoles, ScanningDevicesService, type DeviceRole } from '#scan';
import { Refusal } from '../terminal/failure.js';
import { clock, documented, guichet, say, show, table } from '../terminal/output.js';
import { iso, withSession } from '../terminal/session.js';

interface TenantOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface CreateOptions extends TenantOptions {
  readonly name: string;
  readonly searchTickets?: boolean;
  readonly role?: DeviceRole;
}

interface UpdateOptions extends TenantOptions {
  readonly name?: string;
  readonly searchTickets?: boolean;
  readonly role?: DeviceRole;
}

/** `device create`, `update` and `list`. */
export function deviceCommands(noun: Command): void {
  const create = noun
    .command('create')
    .description('Creates a scanning device and prints its pairing URL, which works once, within PAIRING_MINUTES.')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .requiredOption('--name <name>', 'what staff call it')
    .option('--search-tickets', 'may list and search the tickets of an event: the role search')
    .addOption(new Option('--role <role>', 'what it may do (default: scan)').choices(deviceRoles).conflicts('searchTickets'));
  documented(create, {
    'device create --tenant demo --name "Door 1"': 'prints the pairing address alone',
    'device create --tenant demo --name "Door 1" --json': 'prints {"pairing_url", "door_url", "device_uuid", "device_name", "expires_at"}',
  }).action(createDevice);

  const update = noun
    .command('update')
    .description('Renames a scanning device, or changes what it may do.')
    .argument('<uuid>', 'the device, from the list')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .option('--name <name>', 'what staff call it')
    .option('--search-tickets <on|off>', 'whether it may list and search tickets, with names and e-mail addresses', readSwitch)
    .addOption(new Option('--role <role>', 'what it may do').choices(deviceRoles).conflicts('searchTickets'));
  documented(update, {
    'device update 0e896492-5a88-49d7-92a5-826b2b8adac0 --tenant demo --search-tickets on': 'prints the UUID',
  }).action(updateDevice);

  const list = noun
    .command('list')
    .description('Lists scanning devices, archived ones last.')
    .requiredOption('--tenant <slug>', 'the venue or festival');
  documented(list, {
    'device list --tenant demo': 'prints a table of state, last sign of life, scans of today, role, and name',
    'device list --tenant demo --json': 'prints an array of the same',
  }).action(listDevices);
}

async function createDevice(options: CreateOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const host = session.address(tenant, '');
      const code = await session
        .service(ScanningDevicesService)
        .create(options.name, { role: options.role ?? (options.searchTickets ? 'search' : 'scan') });
      const pairingUrl = `${host}${code.path}`;
      const doorUrl = `${host}/door/#pair=${code.token}`;
      const document = {
        pairing_url: pairingUrl,
        door_url: doorUrl,
        device_uuid: code.deviceId,
        device_name: code.deviceName,
        expires_at: iso(code.expiresAt, tenant),
      };
      show(options, document, pairingUrl);
      say(`For the scanner on a phone: ${doorUrl}`);
      say(`It pairs one device, until ${clock(code.expiresAt, tenant.timeZone)} (${tenant.timeZone}).`);
    }),
  );
}

async function updateDevice(id: string, options: UpdateOptions): Promise<void> {
  const { name, searchTickets, role } = options;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(searchTickets === undefined ? {} : { maySearchTickets: searchTickets }),
    ...(role === undefined ? {} : { role }),
  };
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      if (!isUuid(id) || !(await session.service(ScanningDevicesService).change(id, change))) {
        throw new Refusal(`The tenant ${tenant.slug} has no such device. Its devices: ${guichet} device list --tenant ${tenant.slug}`);
      }
      show(
        options,
        {
          device_uuid: id.toLowerCase(),
          ...(name === undefined ? {} : { name }),
          ...(searchTickets === undefined ? {} : { may_search_tickets: searchTickets }),
          ...(role === undefined ? {} : { role }),
        },
        id,
      );
    }),
  );
}

function readSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Say on or off.');
  return text === 'on';
}

async function listDevices(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const devices = await session.service(ScanningDevicesService).overview();
      const document = devices.map((device) => ({
        uuid: device.id,
        name: device.name,
        state: device.state,
        role: device.role,
        may_search_tickets: device.maySearchTickets,
        scans_today: device.scansToday,
        last_seen_at: iso(device.lastSeenAt, tenant),
        claimed_at: iso(device.claimedAt, tenant),
        archived_at: iso(device.archivedAt, tenant),
        pairing_expires_at: iso(device.pairingExpiresAt, tenant),
        created_at: iso(device.createdAt, tenant),
      }));
      const rows = devices.map(({ id, state, lastSeenAt, scansToday, role, name }) => [
        id,
        state,
        clock(lastSeenAt, tenant.timeZone),
        scansToday,
        role,
        name,
      ]);
      show(options, document, table(['UUID', 'STATE', 'LAST SEEN', 'SCANS TODAY', 'ROLE', 'NAME'], rows, 'There is no device.'));
    }),
  );
}
