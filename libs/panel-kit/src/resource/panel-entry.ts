import type { Language, Text } from '#kernel';
import type { PanelUser } from '#tenancy';
import type { ExportType, ExportValue } from './export-cells.js';
import type { PanelRow, PanelSort, PanelSource, PanelView } from './panel-source.js';
import type { Proofs, ResourceRights } from './resource-rights.js';
import type { ResourceWords } from '../words/panel-words.js';

/** Columns of an export that depend on its rows. */
export interface ExtraColumns {
  readonly columns: readonly { readonly label: string; readonly type: ExportType }[];
  /** One value for each of the columns. */
  readonly cells: (row: PanelRow) => readonly ExportValue[];
}

/** The panel that a host shows: a venue's, or that of the server (`root`). */
export type PanelKind = 'tenant' | 'root';

/** Sections of the side bar, the most used first; their names are the panel's `labels`. */
export type PanelGroup = 'programme' | 'sales' | 'operations' | 'settings' | 'server';

/** What a notice says. */
export interface PanelNotice {
  /** Key of a message of the resource or of the panel. */
  readonly message: string;
  /** Numbers in the message; `count` chooses its plural form. */
  readonly options?: Readonly<Record<string, number>>;
}

/** The result of an action. */
export interface PanelOutcome extends Partial<PanelNotice> {
  /** Path in the panel that opens next. */
  redirect?: string;
  /** The component's next view; default: its `view` is read again. */
  view?: PanelView;
}

/** A PDF, or an XML file. */
export interface PanelFile {
  /** Default: a PDF. */
  type?: 'xml';
  /** File name without extension; any text. */
  name: string;
  content: Buffer;
}

/** Describes how to print a list as PDF. */
export interface PanelPrint {
  /** Its label in the menu of the list: tickets (`pdf`) or cards. Default `pdf`. */
  label?: 'pdf' | 'cards';
  /** Maximum number of records. */
  most: number;
  /** Creates the PDF from record ids in order; undefined when there is nothing to print, `tooMany` when there is too much. */
  read: (ids: readonly string[]) => Promise<PanelFile | 'tooMany' | undefined>;
  tooMany: Text;
  nothing: Text;
}

/** An action on one record, beside showing, editing and deleting it. */
export interface PanelAction {
  /** Feather icon. */
  icon: string;
  /** The component of the action's page; without one, `act` runs at once. */
  component?: string;
  /** Key of the confirmation question that is asked before `act` runs from a button. */
  guard?: string;
  variant?: 'primary' | 'danger' | 'default';
  /** False: no button opens the action, only a redirect. */
  menu?: false;
  /** True: it stands as a button on the record's page before others, of which most are in a menu. */
  main?: true;
  /** True: it changes more of the record than the form does, and stands as a button beside the form. */
  inForm?: true;
  /** Whether the action is offered for a record; default: always. The row is flat, as in lists. */
  visible?: (row: PanelRow) => boolean;
  /** Reads the view of the component. Must not change anything, because it answers a GET. */
  view?: (id: string, query?: Readonly<Record<string, unknown>>) => Promise<PanelView>;
  /**
   * The action is a link to a file, which is only read: shown in a new tab, to be printed, or saved. `read` answers undefined when there is
   * nothing to print.
   */
  file?: { open: 'tab' | 'save'; read: (id: string) => Promise<PanelFile | undefined> };
  /** Performs the action; answers a POST that passed the same-origin check. Throws PanelFieldError to refuse with a message. */
  act?: (id: string, values: PanelRow) => Promise<PanelOutcome>;
}

/** A page of a resource that is not about one record, such as selling at the box office. */
export interface PanelPage {
  /** Feather icon. */
  icon: string;
  /** The component of the page. */
  component: string;
  variant?: 'primary' | 'default';
  /** True: the side bar has an entry for it. */
  side?: true;
  /** True: the link to the page keeps the list's filter. */
  keepsFilter?: true;
  /** The id of another resource, whose list stands above the page in its path. Default: its own. */
  under?: string;
  /** Reads the view of the component. Must not change anything, because it answers a GET. */
  view: (query: Readonly<Record<string, unknown>>) => Promise<PanelView>;
  /**
   * Performs the action; answers a POST that passed the same-origin check. Throws PanelFieldError to refuse with a message. Absent: the
   * page only shows something.
   */
  act?: (values: PanelRow) => Promise<PanelOutcome>;
}

/** How the global search shows a record. All values are names of the source's columns. */
export interface PanelHit {
  /** Shown after the title. */
  details: readonly string[];
  /** Name of a column with an instant. */
  at?: string;
  /** Column of the state, shown as a badge. A boolean is shown only when it is false. */
  state?: string;
  /** The id column whose first characters are the printed reference, and its printed form. */
  reference?: { column: string; printed: (id: string) => string };
  /** Found only by its own texts, not by those of related records. */
  ownOnly?: boolean;
}

/** One resource of the panel: its source, how it is displayed, and its texts. */
export interface PanelEntry {
  source: PanelSource;
  words: Record<Language, ResourceWords>;
  group: PanelGroup;
  /** Feather icon in the side bar. */
  icon: string;
  /** True: it is seldom used; the side bar folds it away at the end of its section. */
  rare?: true;
  /** Columns of the list, in order. */
  list: readonly string[];
  /** Fields of the detail page; default all but passwords. */
  show?: readonly string[];
  /** Fields of the form; default all editable ones. */
  edit?: readonly string[];
  /** Fields of the form of a new record that the form of an existing one lacks. The source's `update` must not take them either. */
  onlyNew?: readonly string[];
  /** Fields of the filter; default all filterable columns of the list. */
  filter?: readonly string[];
  /** Whether this record can be edited. Default: yes. The source's `update` must refuse it, too: the record may have changed meanwhile. */
  editable?: (row: PanelRow) => boolean;
  /** Whether this record can be removed. Default: yes. The source's `remove` must refuse it, too. */
  removable?: (row: PanelRow) => boolean;
  sort?: PanelSort;
  actions?: Readonly<Record<string, PanelAction>>;
  /** Exported columns of the source's rows, in order. Absent: the list cannot be exported. */
  exports?: readonly { readonly name: string; readonly type: ExportType }[];
  /** Further columns of the export, after these. */
  extraExports?: (rows: readonly PanelRow[]) => Promise<ExtraColumns>;
  /** Column with the instant that tells records of the same name apart: headings and questions show it. */
  at?: string;
  /** Absent: the global search does not include the resource. */
  hit?: PanelHit;
  /** Absent: the list cannot be printed. */
  prints?: PanelPrint;
  /** Pages that are not about one record, by the name of their action. */
  pages?: Readonly<Record<string, PanelPage>>;
  /** The page that makes a new record; the form with all fields is reached by links. Default: that form. */
  newPage?: string;
  /** The notice after a change, from the row that the source's `update` returned. Default: that it is saved. */
  saved?: (row: PanelRow) => PanelNotice | undefined;
  /** The action whose page opens after a record was created, or a function of the record's id. Default `show`. */
  afterNew?: string | ((id: string) => string);
  /** Limits a support visit to reading (`readOnly`) or excludes it (`closed`). Default: the same as for staff. */
  support?: 'closed' | 'readOnly';
  /** What people need to use it; set from the table of the panel's rights. */
  rights?: ResourceRights;
  /** What asks again for a proof; set from the same table. */
  proofs?: Proofs;
  /** Whether the user may perform an action (`list`, `show`, `new`, `edit`, `delete` or the name of an action or a page). Default: yes. */
  allows?: (action: string, user: PanelUser | null) => boolean;
}
