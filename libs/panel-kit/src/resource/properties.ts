import { getMetadataArgsStorage } from 'typeorm';
import type { ExportType } from './export-cells.js';
import type { PanelEntry } from './panel-entry.js';
import type { PanelProperty, PanelType } from './panel-source.js';

/** Shown in the order of the declarations, or at this position, from 1. */
export type Shown = true | number;

/**
 * Declares one property of a resource. When the entity has a column of the same name, its TypeORM metadata gives type, SQL and whether
 * forms require it.
 */
export interface PropertyDeclaration extends Partial<Omit<PanelProperty, 'name' | 'editable' | 'sortable' | 'filterable'>> {
  /** SQL of the value, when the entity has no such column. Without a column and SQL, the resource adds the value itself. */
  sql?: string;
  list?: Shown;
  show?: Shown;
  /** Only properties in the form can be changed. */
  form?: Shown;
  /** False: not filterable. Absent: filterable by links of the panel, but not shown in the filter form. */
  filter?: Shown | false;
  /** Position in the export. */
  export?: Shown;
  /** Type in the export; default according to `type`. */
  exportAs?: ExportType;
  /** False: not sortable. */
  sort?: false;
  /** Read with each row, for actions, exports and searches, but shown on no page. */
  hidden?: true;
}

export type Declarations = Readonly<Record<string, PropertyDeclaration>>;

/** The entity whose columns are declared, and its alias in SQL. */
export interface DeclaredOf {
  readonly entity: new () => object;
  readonly alias: string;
}

type Places = Pick<PanelEntry, 'list' | 'show' | 'edit' | 'filter' | 'exports'>;

/** The result of {@link declareProperties}: parts of a source, of a reader and of an entry. */
export interface DeclaredProperties {
  readonly properties: readonly PanelProperty[];
  /** SQL of each property. */
  readonly columns: Readonly<Record<string, string>>;
  /** Spread this into the entry. */
  readonly places: Places;
}

/** The result of {@link declareProperties} with an entity. */
export interface DeclaredRows extends DeclaredProperties {
  /** Spread this into the reading of `entityReader`. */
  readonly reading: DeclaredOf & Pick<DeclaredProperties, 'columns'>;
}

interface EntityColumn {
  readonly type: PanelType;
  readonly isId: boolean;
  readonly isRequired: boolean;
}

/** The panel's type of each PostgreSQL type; all others are `mixed`. */
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

/** Names shown in one place: those with a number at that position, the others in their order between them. */
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
 * Builds properties, columns and places of a resource from one declaration per property.
 * @throws Error when two properties have the same position
 */
export function declareProperties(declarations: Declarations, of: DeclaredOf): DeclaredRows;
export function declareProperties(declarations: Declarations): DeclaredProperties;
export function declareProperties(declarations: Declarations, of?: DeclaredOf): DeclaredProperties | DeclaredRows {
  const known = of ? columnsOf(of.entity) : new Map<string, EntityColumn>();
  const names = Object.keys(declarations);
  const declared = (name: string): PropertyDeclaration => declarations[name] ?? {};
  const all = new Map(names.map((name) => [name, toProperty(name, declared(name), known.get(name))]));
  // The identifier must be first: readers take the first column as the identifier.
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
