import type { Language, Text } from '#kernel';
import type { PanelUser } from '#tenancy';
import type { ExportType, ExportValue } from './export-cells.js';
import type { PanelRow, PanelSort, PanelSource, PanelValue } from './panel-source.js';
import type { ResourceWords } from '../words/panel-words.js';

/** Columns of an exported list that its rows decide. */
export interface ExtraColumns {
  readonly columns: readonly { readonly label: string; readonly type: ExportType }[];
  /** One value for each of the columns. */
  readonly cells: (row: PanelRow) => readonly ExportValue[];
}

/** Which panel a host shows: that of a place, or that of the server. */
export type PanelKind = 'tenant' | 'root';

/** The headings of the side bar, in their order; their labels are the panel's `labels`. */
export type PanelGroup = 'operations' | 'sales' | 'programme' | 'settings' | 'server';

/** What an action answers after it acted. */
export interface PanelOutcome {
  /** Key of a message of the resource or of the panel, said in a notice. */
  message?: string;
  /** Path under the panel to go to. */
  redirect?: string;
  /** What the action's component shows next; default: its `view` again. */
  view?: PanelValue;
}

/** A PDF for staff. */
export interface PanelFile {
  /** Without its ending; any text. */
  name: string;
  content: Buffer;
}

/** The list as a PDF to be printed. */
export interface PanelPrint {
  /** Most records of a list. */
  most: number;
  /** By the ids of the records in their order; undefined when there is nothing to print, `tooMany` when there is too much. */
  read: (ids: readonly string[]) => Promise<PanelFile | 'tooMany' | undefined>;
  tooMany: Text;
  nothing: Text;
}

/** Something staff can do with one record beside showing, editing and deleting it. */
export interface PanelAction {
  /** Feather icon. */
  icon: string;
  /** Our component that draws the action's page; without one, `act` runs at once. */
  component?: string;
  /** Key of the question asked before `act` runs from a button. */
  guard?: string;
  variant?: 'primary' | 'danger' | 'default';
  /** False: no button leads there, only a redirect. */
  menu?: false;
  /** Offered for this record only when true. The row is flat, as in lists. */
  visible?: (row: PanelRow) => boolean;
  /** What the component shows; read only, as it answers a GET. */
  view?: (id: string) => Promise<PanelValue>;
  /**
   * The action is a link to a PDF, which is only read: shown in a new tab, to be printed, or saved. `read` answers undefined when there is
   * nothing to print.
   */
  file?: { open: 'tab' | 'save'; read: (id: string) => Promise<PanelFile | undefined> };
  /** Does it; answers a POST that passed the same-origin check. Throws PanelFieldError to refuse with a message. */
  act?: (id: string, values: PanelRow) => Promise<PanelOutcome>;
}

/** Something staff can do that is about no one record, on a page of its own: selling. */
export interface PanelPage {
  /** Feather icon. */
  icon: string;
  /** Our component that draws the page. */
  component: string;
  variant?: 'primary' | 'default';
  /** True: the side bar leads there too. */
  side?: true;
  /** True: the list's filter goes along in the address. */
  keepsFilter?: true;
  /** What the component shows; read only, as it answers a GET. */
  view: (query: Readonly<Record<string, unknown>>) => Promise<PanelValue>;
  /** Does it; answers a POST that passed the same-origin check. Throws PanelFieldError to refuse with a message. */
  act: (values: PanelRow) => Promise<PanelOutcome>;
}

/** How the search over everything shows a record. All are names of the source's columns. */
export interface PanelHit {
  /** Shown behind the title. */
  details: readonly string[];
  /** An instant. */
  at?: string;
  /** The state, as lists show it; of one that is true or false, only what is not. */
  state?: string;
  /** The id of which the printed reference is the beginning, and how it is printed. */
  reference?: { column: string; printed: (id: string) => string };
  /** Found only by its own texts, not by what it belongs to. */
  ownOnly?: boolean;
}

/** One resource of the panel: where its records come from, how they are shown and what they are called. */
export interface PanelEntry {
  source: PanelSource;
  words: Record<Language, ResourceWords>;
  group: PanelGroup;
  /** Feather icon in the side bar. */
  icon: string;
  /** Columns of the list, in order. */
  list: readonly string[];
  /** Fields of the detail page; default all but passwords. */
  show?: readonly string[];
  /** Fields of the form; default all editable ones. */
  edit?: readonly string[];
  /** Fields of the filter; default all filterable columns of the list. */
  filter?: readonly string[];
  sort?: PanelSort;
  actions?: Readonly<Record<string, PanelAction>>;
  /** Columns of the list as a file, in order: what the source's rows hold. Absent: the list cannot be exported. */
  exports?: readonly { readonly name: string; readonly type: ExportType }[];
  /** More columns of that file, behind these. */
  extraExports?: (rows: readonly PanelRow[]) => Promise<ExtraColumns>;
  /** Absent: the search over everything does not look here. */
  hit?: PanelHit;
  /** Absent: the list cannot be printed. */
  prints?: PanelPrint;
  /** Pages about no one record, by the name of their action. */
  pages?: Readonly<Record<string, PanelPage>>;
  /** The action whose page opens after a new record was made, by its identifier. Default `show`. */
  afterNew?: string | ((id: string) => string);
  /** What a visit of an operator may do with it: nothing, or read it only. Default: whatever staff may. */
  support?: 'closed' | 'readOnly';
  /** Whether this user may do this (`list`, `show`, `new`, `edit`, `delete` or the name of an action or a page). Default yes. */
  allows?: (action: string, user: PanelUser | null) => boolean;
}
