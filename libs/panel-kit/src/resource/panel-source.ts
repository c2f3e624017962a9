import type { SearchWord } from '#kernel';

/** A JSON value as the panel carries it: dates are ISO 8601 strings, money is a decimal string. */
export type PanelValue = string | number | boolean | null | PanelValue[] | { [key: string]: PanelValue };

/** One record: the values of a resource's properties by name. */
export type PanelRow = Record<string, PanelValue>;

/** What a property holds; `decimal` is money or a measure kept as text, never a float. */
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

/** The colour of a state: what went well, what waits, what was refused, what merely is. */
export type PanelTone = 'good' | 'waiting' | 'bad' | 'quiet' | 'info';

/** One property of a resource, as lists, forms and filters see it. */
export interface PanelProperty {
  name: string;
  type: PanelType;
  /** The record's identifier; exactly one per source. Its type is `uuid`, `number` or `string`. */
  isId?: boolean;
  /** Names the record in headings and in references; also what a reference search looks in. */
  isTitle?: boolean;
  required?: boolean;
  /** May be written in forms. Default true, except for the identifier. */
  editable?: boolean;
  /** Default true, except for `mixed` and `textarea`. */
  sortable?: boolean;
  /** Default true, except for `mixed`, `textarea` and `password`. */
  filterable?: boolean;
  /** The words an enumeration may hold; their labels are translations `labels.<property>.<value>`. */
  availableValues?: readonly string[];
  /** Those of `availableValues` that pages of the current tenant offer; asked with each page. Default all. */
  offeredValues?: () => readonly string[];
  /** Whether forms of the current tenant have the field; asked with each page. Default yes. */
  inForms?: () => boolean;
  /** Values that a form offers beside a field for any other one; labels as of `availableValues`. */
  suggestedValues?: readonly string[];
  /** Colour of each available value in lists. */
  tones?: Readonly<Record<string, PanelTone>>;
  /** For `reference`: the id of the source it points at. */
  reference?: string;
  /** For `reference`: what its identifiers are. Default `uuid`. */
  referenceType?: 'uuid' | 'number' | 'string';
  /** Holds a list of values of `type`. */
  isArray?: boolean;
  /** Not on the detail page while it is empty. */
  hidesEmpty?: true;
  /** Name of a component of our own for one place. */
  components?: Partial<Record<'list' | 'show' | 'edit' | 'filter', string>>;
  /** What stands in the field of a new record's form at first. */
  initial?: string | number | boolean;
  /** Key of a text under `messages` that explains the field. */
  help?: string;
}

/** One condition, already checked: a number is a number, a uuid is well formed. */
export type PanelCondition =
  | { kind: 'contains'; text: string }
  | { kind: 'equals'; value: string | number | boolean }
  /** Never of a form: a source that looked the values up asks its reader so. */
  | { kind: 'among'; values: readonly string[] }
  | { kind: 'between'; from?: string; to?: string };

/** Conditions by property name; all of them must hold. */
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

/** A search over everything, as one source is asked for its part. */
export interface SearchQuery {
  words: readonly SearchWord[];
  /** Columns that are needed beside identifier and title. */
  columns: readonly string[];
  limit: number;
  /** Only records that have one of the words themselves, not only what they belong to. */
  ownOnly: boolean;
  /** The statement may take no longer. */
  milliseconds: number;
}

/**
 * What a panel resource offers. Called inside the request's tenant, it speaks to the same services as the API. It
 * only ever sees known properties, well-formed identifiers and checked filter values.
 */
export interface PanelSource {
  /** Also the resource's segment in addresses and the key of its translations. */
  readonly id: string;
  readonly properties: readonly PanelProperty[];
  find(query: PanelQuery): Promise<PanelRow[]>;
  count(filter: PanelFilter): Promise<number>;
  /** The sum of the amounts that a filter leaves, shown above the list; decimal text. Absent: nothing is summed. */
  sum?(filter: PanelFilter): Promise<string>;
  /** Records in which every word is, those first which have one themselves (`own` says so). Throws when it takes too long. */
  search?(query: SearchQuery): Promise<PanelRow[]>;
  findOne(id: string): Promise<PanelRow | null>;
  findMany(ids: string[]): Promise<PanelRow[]>;
  /** Absent: the panel offers no form for a new record. Throws {@link PanelFieldError} for what does not fit. */
  create?(values: PanelRow): Promise<PanelRow>;
  /** Gets the fields of the form; null when the record is gone. Throws {@link PanelFieldError}. */
  update?(id: string, values: PanelRow): Promise<PanelRow | null>;
  /** Throws {@link PanelFieldError} when the record must stay. */
  remove?(id: string): Promise<void>;
}

/**
 * A write that does not fit, told field by field. Messages are keys of the panel's `messages` or plain text in the
 * user's language.
 */
export class PanelFieldError extends Error {
  constructor(
    readonly fields: Record<string, { message: string }>,
    /** Said above the form; default "check the fields below". */
    readonly summary?: string,
  ) {
    super(summary ?? `Fields refused: ${Object.keys(fields).join(', ')}`);
    this.name = 'PanelFieldError';
  }
}
