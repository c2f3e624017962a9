import type { SearchWord } from '#kernel';

/** A JSON value; dates are ISO 8601 strings, amounts are decimal strings. */
export type PanelValue = string | number | boolean | null | PanelValue[] | { [key: string]: PanelValue };

/** What a component gets: JSON, without the members that are undefined. */
export type PanelView = PanelValue | undefined | readonly PanelView[] | { readonly [key: string]: PanelView };

/** One record: the values of a resource's properties by name. */
export type PanelRow = Record<string, PanelValue>;

/** Type of a property; `decimal` is an amount or a measure as text, never a float. */
export type PanelType =
  | 'string'
  | 'textarea'
  | 'number'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'uuid'
  | 'reference'
  | 'email'
  | 'url'
  | 'password'
  | 'mixed';

/** The colour of a state: success, waiting, refused, neutral, informative. */
export type PanelTone = 'good' | 'waiting' | 'bad' | 'quiet' | 'info';

/** One property of a resource in lists, forms and filters. */
export interface PanelProperty {
  name: string;
  type: PanelType;
  /** The record's identifier; exactly one per source. Its type is `uuid`, `number` or `string`. */
  isId?: boolean;
  /** The record's title in headings and references; reference searches look in it. */
  isTitle?: boolean;
  required?: boolean;
  /** Whether forms may change it. Default true, except for the identifier. */
  editable?: boolean;
  /** Default true, except for `mixed` and `textarea`. */
  sortable?: boolean;
  /** Default true, except for `mixed`, `textarea` and `password`. */
  filterable?: boolean;
  /** The values of an enumeration; their labels are translations `labels.<property>.<value>`. */
  availableValues?: readonly string[];
  /** Those of `availableValues` that the current tenant may choose; called for each page. Default: all. */
  offeredValues?: () => readonly string[];
  /** Whether forms of the current tenant have the field; called for each page. Default: yes. */
  inForms?: () => boolean;
  /** Whether the signed-in person may see the values; called for each page. Set where rights are kept. */
  isShown?: () => boolean;
  /** Values that a form suggests beside a field for any other value; labels as for `availableValues`. */
  suggestedValues?: readonly string[];
  /** Like `suggestedValues`, of the current tenant: forms ask for them. */
  suggest?: () => Promise<readonly string[]>;
  /** Colour of each available value in lists. */
  tones?: Readonly<Record<string, PanelTone>>;
  /** For `reference`: the id of the referenced source. */
  reference?: string;
  /** For `reference`: type of the identifiers. Default `uuid`. */
  referenceType?: 'uuid' | 'number' | 'string';
  /** Holds a list of values of `type`. */
  isArray?: boolean;
  /** Names of our own components by place. */
  components?: Partial<Record<'list' | 'show' | 'edit' | 'filter', string>>;
  /** Initial value in the form of a new record. */
  initial?: string | number | boolean;
  /** Key of a text under `messages` that explains the field. */
  help?: string;
}

/** One validated condition: numbers are numbers, UUIDs are well-formed. */
export type PanelCondition =
  | { kind: 'contains'; text: string }
  | { kind: 'equals'; value: string | number | boolean }
  /** Not from a form: a source that looked up the values passes them to its reader. */
  | { kind: 'among'; values: readonly string[] }
  | { kind: 'between'; from?: string; to?: string };

/** Conditions by property name; all must match. */
export type PanelFilter = Record<string, PanelCondition>;

/** The order of a list; `by` is always a sortable property of the source. */
export interface PanelSort {
  by: string;
  direction: 'asc' | 'desc';
}

/** One page of a list. `limit` is 1 to 500, and more for an export; `offset` is not negative. */
export interface PanelQuery {
  filter: PanelFilter;
  sort: PanelSort | null;
  limit: number;
  offset: number;
}

/** The part of a global search that one source answers. */
export interface SearchQuery {
  words: readonly SearchWord[];
  /** Columns to return in addition to identifier and sort column. */
  columns: readonly string[];
  limit: number;
  /** Only records that contain one of the words themselves, not only in related records. */
  ownOnly: boolean;
  /** Only rows with one of these values in a column. */
  only?: { readonly column: string; readonly values: readonly string[] };
  /** Time limit of the statement. */
  milliseconds: number;
}

/**
 * The data of a panel resource. Called inside the request's tenant; uses the same services as the API. Receives only known properties,
 * well-formed identifiers and validated filter values.
 */
export interface PanelSource {
  /** Also the resource's segment in URLs and the key of its translations. */
  readonly id: string;
  readonly properties: readonly PanelProperty[];
  find(query: PanelQuery): Promise<PanelRow[]>;
  count(filter: PanelFilter): Promise<number>;
  /** The sum over all rows that match a filter, shown above the list, as decimal text. Absent: the list shows no sum. */
  sum?(filter: PanelFilter): Promise<string>;
  /** The parts of that sum, shown beside it: the label and the decimal text of each. */
  sumParts?(filter: PanelFilter): Promise<{ label: string; sum: string }[]>;
  /** Records that contain every word; first those that contain one themselves (column `own`). Throws when it exceeds the time limit. */
  search?(query: SearchQuery): Promise<PanelRow[]>;
  findOne(id: string): Promise<PanelRow | null>;
  findMany(ids: string[]): Promise<PanelRow[]>;
  /** Absent: records cannot be created in the panel. Throws {@link PanelFieldError} for invalid fields. */
  create?(values: PanelRow): Promise<PanelRow>;
  /** Receives the form's fields; null when the record does not exist. Throws {@link PanelFieldError}. */
  update?(id: string, values: PanelRow): Promise<PanelRow | null>;
  /** Throws {@link PanelFieldError} when the record cannot be deleted. */
  remove?(id: string): Promise<void>;
}

/** Errors of a form by field. Messages are keys of the panel's `messages`, or texts in the user's language. */
export class PanelFieldError extends Error {
  constructor(
    readonly fields: Record<string, { message: string }>,
    /** Shown above the form; default: "check the fields below". */
    readonly summary?: string,
  ) {
    super(summary ?? `Fields refused: ${Object.keys(fields).join(', ')}`);
    this.name = 'PanelFieldError';
  }
}
