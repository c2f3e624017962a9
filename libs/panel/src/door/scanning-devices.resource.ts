import { SETTINGS, venueDayStartSql, type Settings } from '#kernel';
import { deviceRoles, DeviceCareService, deviceNetworks, QuarantineLinesService, ScanningDevice, ScanningDevicesService } from '#scan';
import type { DeviceRole, PairingCode } from '#scan';
import { ApiKey, currentTenant, TenantDb } from '#tenancy';
import type { Tx } from '#tenancy';
import { Inject } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { PanelEntry, PanelSource, PanelValue, ResourceProvider, ViewOf } from '#panel-kit';
import { currentPanelRequest, qrPicture, entityReader, textOf, PanelResource, declareProperties } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { deviceState, deviceStates, deviceTones } from '../pairing/device-states.js';
import { sheetOfDevice, type sheetOfTeamCode } from '../pairing/pairing-sheet.js';
import { texts } from '../locales/panel.texts.js';
import { moveAction } from './move.action.js';
import { quarantineAction, quarantineSql } from './quarantine.action.js';

/** The view of the component `PairingCode`; `hidden`: a code is valid, but it was created in another session and cannot be shown again. */
export type PairingView =
  | { state: 'open'; door: string; address: string; picture: string; expiresAt: string }
  | { state: 'spent' | 'expired' | 'hidden' };

/** The key of a new code in the session. The stored expiry shows whether it is still the device's newest code. */
const keptAs = (deviceId: string): string => `pairing:${deviceId}`;

function keep({ deviceId, path, expiresAt }: PairingCode): void {
  currentPanelRequest().secrets.keep(keptAs(deviceId), `${expiresAt.toISOString()} ${path}`, expiresAt);
}

async function pairingView(source: PanelSource, id: string): Promise<PairingView> {
  const device = await source.findOne(id);
  if (device?.['state'] === 'paired' || device?.['state'] === 'locked') return { state: 'spent' };
  if (device?.['state'] !== 'waiting') return { state: 'expired' };
  const { secrets, origin } = currentPanelRequest();
  const [expiresAt, path] = secrets.read(keptAs(id))?.split(' ') ?? [];
  if (!path || !expiresAt || expiresAt !== device['pairingExpiresAt']) return { state: 'hidden' };
  const address = `${origin}${path}`;
  // The scanner app takes the code from the fragment, which no server and no link preview sees.
  const door = `${origin}/door/#pair=${path.split('/')[2] ?? ''}`;
  return { state: 'open', door, address, picture: await qrPicture(door), expiresAt };
}

/** The sheet has the code, as the page of the code: only where that was created. */
async function deviceSheet(db: TenantDb, source: PanelSource, id: string) {
  const shown = await pairingView(source, id);
  if (shown.state !== 'open') return shown;
  return sheetOfDevice(db, id, { address: shown.door, expiresAt: new Date(shown.expiresAt) });
}

/** The view of the component `PairingSheet`, of a device or of a team code. */
export type SheetView = ViewOf<typeof deviceSheet | typeof sheetOfTeamCode>;

/** The role in a form; a form without the field changes none. */
function roleIn(role: PanelValue | undefined): { role?: DeviceRole } {
  return role === undefined || role === null || role === '' ? {} : { role: textOf(role) as DeviceRole };
}

/** SQL: what the device said last. */
const contactOf = (column: string): string => `(select c.${column} from device_contact c where c.device_id = device.id)`;

/** Last use of the device keys. Keys are in the shared schema, devices in the tenant's, so they are not joined. */
async function lastUses(tx: Tx): Promise<{ keyIds: string[]; usedAt: Date[] }> {
  const where = { tenantId: currentTenant().id, kind: 'gdev' as const, lastUsedAt: Not(IsNull()) };
  const keys = await tx.find(ApiKey, { select: { id: true, lastUsedAt: true }, where });
  return { keyIds: keys.map(({ id }) => id), usedAt: keys.map(({ lastUsedAt }) => lastUsedAt as Date) };
}

/** The scanning devices of the tenant. */
@PanelResource({ panels: 'tenant', position: 10, modules: 'scanning' })
export class ScanningDevicesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly devices: ScanningDevicesService,
    private readonly care: DeviceCareService,
    private readonly quarantine: QuarantineLinesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, devices, care, settings } = this;
    const declared = declareProperties(
      {
        id: { show: true },
        name: { isTitle: true, list: true, show: true, form: true, filter: true },
        role: { availableValues: deviceRoles, initial: 'scan', help: 'roleHelp', list: true, show: true, form: true, filter: true },
        state: {
          availableValues: deviceStates,
          tones: deviceTones,
          list: true,
          show: true,
          filter: 2,
          sql: deviceState('device'),
        },
        lastSeenAt: {
          type: 'datetime',
          list: true,
          show: true,
          sql: `(select used.at from unnest(:keyIds::text[], :usedAt::timestamptz[]) as used (id, at) where used.id = device.key_id)`,
        },
        scansToday: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: `(select count(*)::int from scan_log log where log.device_id = device.id and log.action = 'scan'
          and log.outcome = 'accepted' and not exists (select 1 from scan_log undo where undo.undoes = log.id)
          and log.recorded_at >= ${venueDayStartSql(':zone')})`,
        },
        quarantine: {
          availableValues: ['unseen', 'seen'],
          tones: { unseen: 'waiting', seen: 'quiet' },
          list: true,
          show: true,
          filter: true,
          sort: false,
          sql: quarantineSql('device'),
        },
        battery: { type: 'number', show: true, filter: false, sql: contactOf('battery') },
        unsent: { type: 'number', show: true, filter: false, sql: contactOf('unsent') },
        network: { show: true, filter: false, sort: false, availableValues: deviceNetworks, sql: contactOf('network') },
        appVersion: { show: true, filter: false, sort: false, sql: contactOf('app_version') },
        clockOffsetMs: { type: 'number', show: true, filter: false, sql: contactOf('clock_offset_ms') },
        eventId: { reference: 'events', show: true, filter: false },
        gateId: { reference: 'gates', show: true, filter: false },
        teamCodeId: { reference: 'team-codes', show: true, filter: false },
        claimedAt: { show: true },
        pairingExpiresAt: { show: true },
        createdAt: { show: true },
      },
      { entity: ScanningDevice, alias: 'device' },
    );

    const source: PanelSource = {
      id: 'devices',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.transaction(work),
        parameters: async (tx) => ({ zone: currentTenant().timeZone, ...(await lastUses(tx)) }),
        sort: { by: 'name', direction: 'asc' },
      }),
      create: async ({ name, role }) => {
        const code = await refusable(() => devices.create(textOf(name), roleIn(role)));
        keep(code);
        return { id: code.deviceId, name: code.deviceName };
      },
      update: async (id, { name, role }) => {
        const change = {
          ...(name === undefined ? {} : { name: textOf(name) }),
          ...roleIn(role),
        };
        return (await refusable(() => devices.change(id, change))) ? source.findOne(id) : null;
      },
    };
    return {
      source,
      support: 'readOnly',
      group: 'operations',
      icon: 'Smartphone',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      afterNew: 'pair',
      actions: {
        pair: {
          icon: 'Maximize',
          component: 'PairingCode',
          variant: 'primary',
          visible: (row) => row['state'] !== 'archived',
          view: (id) => pairingView(source, id),
          act: async (id) => {
            const code = await refusable(() => devices.renew(id));
            if (code) keep(code);
            return { view: await pairingView(source, id) };
          },
        },
        sheet: {
          icon: 'Printer',
          component: 'PairingSheet',
          visible: (row) => row['state'] === 'waiting',
          view: (id) => deviceSheet(db, source, id),
        },
        move: moveAction(db, settings, care),
        quarantine: quarantineAction(this.quarantine),
        lock: {
          icon: 'Lock',
          guard: 'lockSure',
          visible: (row) => row['state'] === 'paired',
          act: async (id) => {
            await care.lock(id);
            return { message: 'locked' };
          },
        },
        unlock: {
          icon: 'Unlock',
          visible: (row) => row['state'] === 'locked',
          act: async (id) => {
            await care.unlock(id);
            return { message: 'unlocked' };
          },
        },
        wipe: {
          icon: 'Trash',
          variant: 'danger',
          guard: 'wipeSure',
          visible: (row) => row['state'] === 'paired' || row['state'] === 'locked',
          act: async (id) => {
            await care.wipe(id);
            return { message: 'wiped' };
          },
        },
        archive: {
          icon: 'Archive',
          variant: 'danger',
          guard: 'archiveSure',
          visible: (row) => row['state'] !== 'archived',
          act: async (id) => {
            await devices.archive(id);
            return { message: 'archived' };
          },
        },
        restore: {
          icon: 'RotateCcw',
          visible: (row) => row['state'] === 'archived',
          act: async (id) => {
            await refusable(() => devices.restore(id));
            return { message: 'restored' };
          },
        },
      },
      words: texts.perLanguage('scanningDevices.words', ({ words }) => words),
    };
  }
}
