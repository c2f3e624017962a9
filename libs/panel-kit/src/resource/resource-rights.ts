import type { Permission } from '#tenancy';

/** One permission, or several that are all needed. */
export type Needs = Permission | readonly Permission[];

/** What an action needs: permissions, or permissions and at least one of some others. */
export type ActionNeeds = Needs | { readonly all: Needs; readonly oneOf: readonly Permission[] };

/** What an action needs beside its permissions for records whose amount, the property `above`, is more than nothing. */
type NeedsAbove = Readonly<Record<string, { readonly above: string; readonly needs: Needs }>>;

/** What people need to see and do what a resource has. Without a row the application does not start. */
export interface ResourceRights {
  /** For lists, records, searches and references. */
  readonly see: Needs;
  /** For new records, changes and deletions; needed where the source has them. */
  readonly create?: Needs;
  readonly change?: Needs;
  readonly remove?: Needs;
  /** Lists as PDF. */
  readonly prints?: Needs;
  /** Every action and page by name. */
  readonly actions?: Readonly<Record<string, ActionNeeds>>;
  /** Actions that need more for some records. */
  readonly more?: NeedsAbove;
  /**
   * What single values need beside `see`; `see`: nothing. Without a line, amounts need `money.see` and e-mail addresses `contact.see`.
   * Values of the type `mixed`, and columns of exports and searches that are no properties, must have a line. Other columns that are
   * read with rows but shown nowhere are for people who may see amounts and addresses.
   */
  readonly values?: Readonly<Record<string, Needs | 'see'>>;
  /**
   * The column with the event of a row; `all`: everybody may see all rows. Absent: people whose right is about some events cannot open the
   * resource.
   */
  readonly event?: string;
  /** Actions for people whose right is about some events. Pages show all events and are not for them, unless they are named here. */
  readonly scoped?: readonly string[];
  /** Values that tell of other events, hidden from these people. */
  readonly wide?: readonly string[];
  /** What asks again for password, code or passkey when the last proof is old. */
  readonly proofs?: Proofs;
  /** Records of other resources show the title to people who may not open this one. */
  readonly isNamed?: true;
}

/**
 * Actions that ask people again to prove who they are: `new`, `edit`, `delete`, `exports`, or the name of an action or a page. `above`
 * names the property with the amount: small ones are not asked for.
 */
export type Proofs = Readonly<Record<string, 'always' | { readonly above: string }>>;

/** What a path of the panel beside resources needs; `person`: everybody who is signed in. */
export type PathNeeds = Needs | 'person';
