import { getMetadataArgsStorage } from 'typeorm';
import type { ExportType } from './export-cells.js';
import type { PanelEntry } from './panel-entry.js';
import type { PanelProperty, PanelType } from './panel-source.js';

/** Shown there: in the order of the declarations, or at this place, from 1 on. */
export type Shown = true | number;

/**
 * One property of a resource, with all that is known of it. Of a column of the entity with the same name, TypeORM's metadata gives the
 * type, the SQL and whether forms require it.
 */
export interface PropertyDeclaration extends Partial<Omit<PanelProperty, 'name' | 'editable' | 'sortable' | 'filterable'>> {
  /** SQL of the value, for what is no column of the entity. Absent there too: the resource adds the value itself. */
  sql?: string;
  list?: Shown;
  show?: Shown;
  /** Only what stands in the form may be written. */
  form?: Shown;
  /** False: lists are never narrowed by it. Absent: not in the drawer, only in addresses of the panel's own links. */
  filter?: Shown | false;
  /** A column of the list as a file. */
  export?: Shown;
  /** What that column holds; default by the type. */
  exportAs?: ExportType;
  /** False: lists are not ordered by it. */
  sort?: false;
  /** Read with each row for actions, exports and searches; no page shows it. */
  hidden?: true;
}

export type Declarations = Readonly<Record<string, PropertyDeclaration>>;

/** The entity whose columns are shown, and its name in SQL. */
export interface DeclaredOf {
  readonly entity: new () => object;
  readonly alias: string;
}

type Places = Pick<PanelEntry, 'list' | 'show' | 'edit' | 'filter' | 'exports'>;

/** What {@link declareProperties} makes: the parts of a source, of a reader and of an entry. */
export interface DeclaredProperties {
  readonly properties: readonly PanelProperty[];
  /** SQL of each property. */
  readonly columns: Readonly<Record<string, string>>;
  /** To be spread into the entry. */
  readonly places: Places;
}

/** Those of an entity. */
export interface DeclaredRows extends DeclaredProperties {
  /** To be spread into the reading of `entityReader`. */
  readonly reading: DeclaredOf & Pick<DeclaredProperties, 'columns'>;
}

interface EntityColumn {
  readonly type: PanelType;
  readonly isId: boolean;
  readonly isRequired: boolean;
}

/** PostgreSQL's types as the panel's; everything else is `mixed`. */
const panelTypes: Readonly<Record<string, PanelType>> = {
  uuid: 'uuid',
  text: 'string',
  varchar: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  int: 'number',
  bigint: 'number',
  numeric: 'decimal',
  'double precision': 'float',
  timestamptz: 'datetime',
  date: 'date',
};

const exportTypes: Partial<Record<PanelType, ExportType>> = {
  boolean: 'word',
  number: 'number',
  float: 'number',
  decimal: 'money',
  date: 'datetime',
  datetime: 'datetime',
};

function columnsOf(entity: DeclaredOf['entity']): Map<string, EntityColumn> {
  const classes: unknown[] = [];
  for (let one: unknown = entity; typeof one === 'function'; one = Object.getPrototypeOf(one)) classes.push(one);
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => classes.includes(target));
  const hasOneKey = columns.filter(({ options }) => options.primary).length === 1;
  return new Map(
    columns.map(({ propertyName, options, mode }) => {
      const { type, array, primary, nullable, default: byDefault } = options;
      const named = typeof type === 'string' ? panelTypes[type] : undefined;
      const isMade = mode === 'createDate' || byDefault !== undefined || options.generated !== undefined;
      return [
        propertyName,
        {
          type: array || !named ? 'mixed' : named,
          isId: primary === true && hasOneKey,
          isRequired: !nullable && !isMade,
        },
      ];
    }),
  );
}

/** The names that are shown in one place: those with a number at that place, the others in their order in between. */
function placed(names: readonly string[], shownOf: (name: string) => Shown | false | undefined): string[] {
  const shown = names.filter((name) => shownOf(name) !== undefined && shownOf(name) !== false);
  const inOrder = shown.filter((name) => shownOf(name) === true);
  const fixed = new Map(shown.flatMap((name) => (shownOf(name) === true ? [] : [[Number(shownOf(name)), name]])));
  return shown.map((_name, index) => fixed.get(index + 1) ?? inOrder.shift() ?? '');
}

function toProperty(name: string, declared: PropertyDeclaration, column: EntityColumn | undefined): PanelProperty {
  const { sql: _sql, list: _l, show: _s, form, filter, export: _e, exportAs: _a, sort, hidden: _h, ...rest } = declared;
  const type = rest.type ?? (rest.reference ? 'reference' : column?.type) ?? 'string';
  const required = rest.required ?? (form !== undefined && type !== 'boolean' && column?.isRequired === true);
  return {
    ...rest,
    name,
    type,
    ...(column?.isId && rest.isId === undefined && { isId: true }),
    ...(required && { required }),
    editable: form !== undefined,
    ...(filter === false && { filterable: false }),
    ...(sort === false && { sortable: false }),
  };
}

/**
 * The properties of a resource, each declared once.
 *
 * @throws Error when two properties claim the same place
 */
export function declareProperties(declarations: Declarations, of: DeclaredOf): DeclaredRows;
export function declareProperties(declarations: Declarations): DeclaredProperties;
export function declareProperties(declarations: Declarations, of?: DeclaredOf): DeclaredProperties | DeclaredRows {
  const known = of ? columnsOf(of.entity) : new Map<string, EntityColumn>();
  const names = Object.keys(declarations);
  const declared = (name: string): PropertyDeclaration => declarations[name] ?? {};
  const all = new Map(names.map((name) => [name, toProperty(name, declared(name), known.get(name))]));
  // The identifier stands first: readers take it for what it is.
  const isId = (name: string): boolean => all.get(name)?.isId === true;
  const named = [...names.filter(isId), ...names.filter((name) => !isId(name))].flatMap((name) => {
    const sql = declared(name).sql ?? (of && known.has(name) ? `${of.alias}.${name}` : undefined);
    return sql === undefined ? [] : [[name, sql]];
  });
  const at = (place: 'list' | 'show' | 'form' | 'filter' | 'export'): string[] => {
    const found = placed(names, (name) => declared(name)[place]);
    if (found.includes('')) throw new Error(`Two properties have the same place in ${place}: ${names.join(', ')}`);
    return found;
  };
  const exported = at('export').map((name) => ({ name, type: declared(name).exportAs ?? exportTypeOf(all.get(name)) }));
  const columns: Readonly<Record<string, string>> = Object.fromEntries(named);
  return {
    properties: [...all.values()].filter(({ name }) => !declared(name).hidden),
    columns,
    ...(of && { reading: { ...of, columns } }),
    places: {
      list: at('list'),
      show: at('show'),
      edit: at('form'),
      filter: at('filter'),
      ...(exported.length > 0 && { exports: exported }),
    },
  };
}

const exportTypeOf = (property: PanelProperty | undefined): ExportType =>
  property?.availableValues ? 'word' : (exportTypes[property?.type ?? 'string'] ?? 'text');
