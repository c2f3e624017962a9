import { forEachLanguage } from '#kernel';
import {
  currentGrant,
  declareProperties,
  entityReader,
  PanelFieldError,
  PanelResource,
  textOf,
  type PanelEntry,
  type PanelRow,
  type PanelSource,
  type ResourceProvider,
} from '#panel-kit';
import {
  currentTenant,
  isWithin,
  levelWords,
  nounWords,
  permissionNouns,
  permissions,
  TenantDb,
  VenueRole,
  VenueRolesService,
  type PermissionLevels,
} from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { changedBy } from './people.actions.js';
import { roleWords } from './people.words.js';

/** The property with the level of a noun. */
const levelOf = (noun: string): string => `${noun}Level`;

/** The levels of a row or a form. */
const levelsIn = (row: PanelRow): PermissionLevels => Object.fromEntries(permissionNouns.map((noun) => [noun, textOf(row[levelOf(noun)])]));

/** The roles that a venue made itself. */
@PanelResource({ panels: 'tenant', position: 164 })
export class RolesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly roles: VenueRolesService,
  ) {}

  entry(): PanelEntry {
    const { db, roles } = this;
    const levels = permissionNouns.map((noun) => [
      levelOf(noun),
      {
        availableValues: permissions[noun],
        offeredValues: () => permissions[noun].filter((level) => isWithin({ [noun]: level }, currentGrant().levels)),
        initial: 'none',
        help: `${noun}Help`,
        show: true,
        form: true,
        filter: false,
        sort: false,
        sql: `coalesce(made.levels ->> '${noun}', 'none')`,
      } as const,
    ]);
    const declared = declareProperties(
      {
        id: {},
        name: { isTitle: true, list: true, form: true, filter: true },
        people: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: '(select count(*)::int from shared.role_grant held where held.role_id = made.id)',
        },
        createdAt: { list: true, show: true },
        ...(Object.fromEntries(levels) as Readonly<Record<string, object>>),
      },
      { entity: VenueRole, alias: 'made' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      where: 'made.tenant_id = :tenantId',
      parameters: () => ({ tenantId: currentTenant().id }),
      sort: { by: 'name', direction: 'asc' },
    });
    const { search: _search, sumOf: _sum, ...reading } = reader;
    const source: PanelSource = {
      id: 'roles',
      properties: declared.properties,
      ...reading,
      create: async (values) => ({
        id: await refusable(() => roles.create(textOf(values['name']), levelsIn(values), changedBy())),
        name: textOf(values['name']),
      }),
      update: async (id, values) => {
        const present = await reader.findOne(id);
        if (!present) return null;
        const sent = { ...present, ...values };
        const found = await refusable(() => roles.change(id, textOf(sent['name']), levelsIn(sent), changedBy()));
        return found ? reader.findOne(id) : null;
      },
      remove: async (id) => {
        if (!(await refusable(() => roles.remove(id, changedBy())))) throw new PanelFieldError({}, 'error404Record');
      },
    };
    return {
      source,
      support: 'readOnly',
      group: 'settings',
      icon: 'Shield',
      rare: true,
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      words: forEachLanguage((language) => {
        const [words, nouns] = [roleWords[language], nounWords[language]];
        const each = (text: (noun: (typeof permissionNouns)[number]) => string, suffix: string): Record<string, string> =>
          Object.fromEntries(permissionNouns.map((noun) => [`${noun}${suffix}`, text(noun)]));
        return {
          ...words,
          properties: { ...words.properties, ...each((noun) => nouns[noun].label, 'Level') },
          messages: { ...words.messages, ...each((noun) => nouns[noun].help, 'Help') },
          values: Object.fromEntries(permissionNouns.map((noun) => [levelOf(noun), levelWords[language]])),
        };
      }),
    };
  }
}
