import {
  deviceRoles,
  takenPlaces,
  TeamCode,
  TeamCodesService,
  teamCodeState,
  teamCodeStates,
  type NewTeamCode,
  type TeamCodeChange,
} from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  PanelFieldError,
  PanelResource,
  recordHref,
  related,
  relatedProperty,
  textOf,
} from '#panel-kit';
import { deviceTones } from './device-states.js';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';
import { sheetOfTeamCode } from './pairing-sheet.js';
import { devicesOf, teamCodeView } from './team-code.reader.js';

const words = texts.perLanguage('teamCodes', ({ words }) => words);
const deviceWords = texts.perLanguage('scanningDevices.words', ({ words }) => words);

/** Codes that pair several phones each. */
@PanelResource({ panels: 'tenant', position: 12, modules: 'scanning' })
export class TeamCodesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: TeamCodesService,
  ) {}

  entry(): PanelEntry {
    const { db, codes } = this;
    const minutes = { required: false, show: true, form: true, filter: false, initial: 120 } as const;
    const declared = declareProperties(
      {
        id: { show: 13 },
        name: { isTitle: true, help: 'nameHelp', list: true, form: true, filter: true },
        state: {
          availableValues: teamCodeStates,
          tones: { open: 'good', full: 'waiting', expired: 'quiet', ended: 'bad' },
          list: true,
          show: 1,
          filter: true,
          sql: teamCodeState('code'),
        },
        used: { list: true, show: 2, sort: false, filter: false, sql: `concat(${takenPlaces('code')}, ' / ', code.places)` },
        places: { required: false, initial: 10, help: 'placesHelp', form: true, filter: false },
        eventId: { reference: 'events', help: 'eventHelp', list: true, show: true, form: true, filter: true },
        gateId: { reference: 'gates', help: 'gateHelp', components: { edit: 'GateChoice' }, show: true, form: true, filter: false },
        gateIds: {
          type: 'string',
          isArray: true,
          help: 'gatesHelp',
          components: { edit: 'GateChecks' },
          sort: false,
          form: true,
          filter: false,
        },
        gates: {
          sort: false,
          show: true,
          filter: false,
          sql: `(select string_agg(gate.name, ', ' order by gate.position, gate.name, gate.id) from gate
            where gate.id = any (code.gate_ids))`,
        },
        role: { availableValues: deviceRoles, initial: 'scan', help: 'roleHelp', list: true, show: true, form: true, filter: true },
        opensMinutesBefore: { ...minutes, help: 'opensHelp' },
        closesMinutesAfter: minutes,
        expiresAt: { required: false, help: 'expiresHelp', list: true, show: true, form: true },
        endedAt: { show: true },
        devices: { ...relatedProperty('devices'), show: true },
        createdAt: { show: true },
      },
      { entity: TeamCode, alias: 'code' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'team-codes',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const gates = row['gateIds'] === null ? words[currentPanelRequest().language].allGates : (row['gates'] ?? null);
        return { ...row, gates, devices: await this.devices(id) };
      },
      // The answer to the form has no code: its own page shows it.
      create: async (values) => {
        const { id, name } = await refusable(() => codes.create(toNew(values)));
        return { id, name };
      },
      update: async (id, values) => {
        if (await refusable(() => codes.change(id, toChange(values)))) return source.findOne(id);
        if (await reader.findOne(id)) throw new PanelFieldError({}, 'isEnded');
        return null;
      },
    };
    const isOpen = ({ state }: PanelRow): boolean => state === 'open' || state === 'full';
    return {
      source,
      support: 'readOnly',
      group: 'operations',
      icon: 'Share2',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      afterNew: 'code',
      // The phones took these when they paired.
      onlyNew: ['eventId', 'gateId', 'gateIds', 'role'],
      // One that expired pairs phones again with a later expiry.
      editable: ({ state }) => state !== 'ended',
      actions: {
        code: {
          icon: 'Maximize',
          component: 'TeamCode',
          variant: 'primary',
          visible: isOpen,
          view: (id) => teamCodeView(db, codes, id),
        },
        sheet: { icon: 'Printer', component: 'PairingSheet', visible: isOpen, view: (id) => sheetOfTeamCode(codes, id) },
        end: {
          icon: 'Slash',
          variant: 'danger',
          guard: 'endSure',
          visible: isOpen,
          act: async (id) => {
            if (!(await codes.end(id))) throw new PanelFieldError({}, 'error404Record');
            return { message: 'ended' };
          },
        },
      },
      // A code lets phones in: it is for the staff of the place.
      allows: (action) => !(action === 'code' || action === 'sheet') || !currentPanelRequest().support,
      words: texts.perLanguage('teamCodes', ({ words: own, language }) => ({
        ...own,
        values: { ...own.values, role: deviceWords[language].values.role },
        messages: { ...own.messages, roleHelp: deviceWords[language].messages.roleHelp },
      })),
    };
  }

  /** The phones that used the code. */
  private async devices(id: string): Promise<PanelValue> {
    const { state: labels } = deviceWords[currentPanelRequest().language].values;
    const devices = await devicesOf(this.db, id);
    return related(
      devices.map(({ id: deviceId, name, state, pairedAt }) => ({
        title: name,
        href: recordHref('devices', deviceId),
        ...(pairedAt && { at: pairedAt.toISOString() }),
        badge: { text: labels[state], tone: deviceTones[state] },
      })),
    );
  }
}

const idOf = (value: PanelValue | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

function toChange({ name, places, opensMinutesBefore, closesMinutesAfter, expiresAt }: PanelRow): TeamCodeChange {
  const numbers = numbersOf({ places, opensMinutesBefore, closesMinutesAfter });
  return {
    ...(name !== undefined && { name: textOf(name) }),
    ...numbers,
    ...(expiresAt !== undefined && { expiresAt: instantOf(expiresAt) }),
  };
}

const instantOf = (value: PanelValue | undefined): Date | null => (typeof value === 'string' && value !== '' ? new Date(value) : null);

/** Those that were filled in. */
function numbersOf(
  values: Readonly<Record<string, PanelValue | undefined>>,
): Pick<NewTeamCode, 'places' | 'opensMinutesBefore' | 'closesMinutesAfter'> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'));
}

function toNew({ name, places, eventId, gateId, gateIds, role, opensMinutesBefore, closesMinutesAfter, expiresAt }: PanelRow): NewTeamCode {
  return {
    name: textOf(name),
    eventId: idOf(eventId),
    gateId: idOf(gateId),
    gateIds: Array.isArray(gateIds) ? gateIds.map(textOf) : null,
    expiresAt: instantOf(expiresAt),
    ...(textOf(role) && { role: textOf(role) as (typeof deviceRoles)[number] }),
    ...numbersOf({ places, opensMinutesBefore, closesMinutesAfter }),
  };
}
