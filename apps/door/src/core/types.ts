/** Which way people pass the gate. */
export type Direction = 'entry' | 'exit';

export type Role = 'scan' | 'search' | 'supervisor' | 'kiosk';

/** What the volunteer sees. The screen shows one colour, one icon, one word and one tone for each. */
export type Verdict =
  /** Green: let in. */
  | 'go'
  /** Green: let out. */
  | 'out'
  /** Amber: a person decides. `admit` lets in. */
  | 'ask'
  /** Red: do not let in. */
  | 'stop'
  /** Amber: a membership card, which lets nobody in. */
  | 'member'
  /** Neutral: this device admitted the code a moment ago. No alarm. */
  | 'just';

/** Why. The reasons of the scan API (docs/scanning.md), and those that only a device without the server gives. */
export type Reason =
  | 'already_scanned'
  | 'cancelled'
  | 'not_admission'
  | 'wrong_event'
  | 'not_paid'
  | 'not_active'
  | 'too_early'
  | 'too_late'
  | 'wrong_gate'
  | 'no_reentry'
  | 'not_inside'
  | 'not_enough'
  | 'membership'
  /** Genuine, but not in the list: it was sold after the list was made. */
  | 'not_in_list'
  /** As `not_in_list`, and the device has let in as many of these as it may. */
  | 'allowance_used'
  /** Signed with a key that the device does not know yet. */
  | 'unknown_key'
  /** Not genuine, or a code from before a transfer. */
  | 'forged'
  | 'revoked'
  /** No code of this service. */
  | 'malformed'
  | 'unknown'
  /** Without the server, another device admits this kind of ticket. */
  | 'other_device'
  /** Another device admitted the ticket, and neither knew of the other. */
  | 'double_entry'
  /** The server's answer could not be understood, or it failed. */
  | 'failed';

/** Where and when a ticket passed before. */
export interface Passage {
  /** Milliseconds since 1970, on the server's clock. */
  readonly at: number | null;
  readonly gate: string | null;
  readonly device: string | null;
}

/** What the server says about a membership. Times are ISO 8601. */
export interface Membership {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly price?: string;
  readonly product?: string;
  readonly valid_from?: string;
  /** Null: it has no end. */
  readonly valid_until?: string | null;
  /** Missing: an earlier version of the server. */
  readonly validity?: string;
}

/** The result of one scan: everything that the result card shows. */
export interface ScanResult {
  /** The id of the attempt. */
  readonly scanId: string;
  readonly verdict: Verdict;
  /** Null with `go`, `out` and `just`. */
  readonly reason: Reason | null;
  readonly decidedBy: 'server' | 'list';
  /** The list decided, and the server's answer may still correct it. */
  readonly provisional: boolean;
  /** Milliseconds since 1970, on the server's clock. */
  readonly at: number;
  readonly direction: Direction;
  readonly holder: { readonly firstName: string | null; readonly lastName: string | null } | null;
  readonly product: string | null;
  readonly price: string | null;
  /** Notes of the event and of the price: "red wristband". */
  readonly notes: readonly string[];
  /** Youngest age of the event in years; null: no rule. */
  readonly age: number | null;
  readonly previous: Passage | null;
  readonly group: { readonly count: number; readonly inside: number; readonly expected: number } | null;
  /**
   * What to do now, by its code of docs/scanning.md; `text` is the server's sentence, if it gave one. `due`: with `pay`, what is to be
   * collected by the list, as decimal text.
   */
  readonly nextStep: { readonly code: string; readonly text: string | null; readonly due?: string | null | undefined } | null;
  /** Further facts of the reason: name and start of the other event, names of other gates, start of the scan window. */
  readonly other: {
    readonly event: string | null;
    readonly place: string | null;
    readonly startsAt: number | null;
    readonly gates: readonly string[];
    readonly opensAt: number | null;
    /** Where to send the guest while there is no network: the device that lets these tickets in, and its gate. */
    readonly holder: { readonly device: string | null; readonly gate: string | null } | null;
  };
  /** With `member`: the membership, as the server describes it. */
  readonly member?: Membership | undefined;
  /** Until when one tap undoes it; null: it cannot be undone. */
  readonly undoUntil: number | null;
  readonly practice: boolean;
}

/** How the device hears the server, in the words that it shows. */
export interface NetworkState {
  /** `slow`: the last answers came after the deadline. */
  readonly kind: 'live' | 'slow' | 'offline';
  /** The time of the list, on the server's clock. */
  readonly listAt: number | null;
  /** Journal lines that the server has not answered. */
  readonly unsent: number;
}

export interface DoorEvent {
  readonly id: string;
  readonly name: string;
  readonly place: string | null;
  readonly start: number;
  readonly end: number | null;
  readonly doors: number | null;
  readonly closes: number | null;
}

export interface Gate {
  readonly id: string;
  readonly name: string;
  readonly inside: number;
}

/** An entry, as the list of the event has it. */
export interface ListedEntry {
  readonly device_name: string | null;
  readonly gate: string | null;
  readonly at: string | null;
  readonly error_ms: number | null;
}

/** A ticket that came in twice. */
export interface DoubleEntry {
  readonly id: string;
  readonly ticket_hash: string;
  readonly reference: string | null;
  readonly first: ListedEntry;
  readonly later: ListedEntry;
  /** What staff decided; null: open. */
  readonly decision: string | null;
}

/** A ticket for another event that came in. */
export interface WrongEvent {
  readonly id: string;
  readonly reference: string | null;
  /** The event of the ticket. */
  readonly event: { readonly name: string | null; readonly start: string | null };
  readonly entry: ListedEntry;
  readonly decision: string | null;
}

export type Conflict = DoubleEntry | WrongEvent;

/** Everything that the screens show beside results. Replaced as a whole when something changes. */
export interface DoorState {
  /** `locked`: staff locked the device, or it is outside the opening hours. `wiped`: its key was revoked and its data destroyed. */
  readonly phase: 'starting' | 'unpaired' | 'choosing' | 'open' | 'locked' | 'wiped';
  readonly tenantName: string | null;
  /** IANA name of the venue's time zone, in which all times are written; null: not known yet. */
  readonly timeZone: string | null;
  readonly deviceName: string | null;
  readonly role: Role;
  readonly events: readonly DoorEvent[];
  readonly event: DoorEvent | null;
  readonly gates: readonly Gate[];
  readonly gate: Gate | null;
  readonly direction: Direction;
  readonly counts: { readonly expected: number; readonly admitted: number; readonly inside: number } | null;
  readonly network: NetworkState;
  readonly conflicts: readonly Conflict[];
  /** How many tickets that are not in the list the device may still let in. */
  readonly allowance: number;
  readonly practice: boolean;
  /** With `locked`: when it opens again. */
  readonly opensAt: number | null;
  /** With `locked`: when its opening hours ended; null: they did not. */
  readonly closedAt?: number | null;
  /** A newer version of the app waits for a restart. */
  readonly updateReady: boolean;
  /** Whether the browser promised to keep the data; null: not asked. */
  readonly persistent: boolean | null;
  /** Another tab of this browser has the app open; this one waits until it is closed, or `takeOver`. */
  readonly otherTab?: boolean;
}

export interface FoundTicket {
  readonly id: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly reference: string;
  readonly price: string;
  readonly state: 'expected' | 'inside' | 'outside' | 'not_valid';
}

/** A refusal that the volunteer can act on; `code` is the problem's code or one of the app. The message is the server's, for people. */
export class DoorError extends Error {
  constructor(
    readonly code: string,
    message = '',
  ) {
    super(message);
  }
}

/** What screens call. Every promise settles: within the deadline for scans, within the request's time limit for the rest. */
export interface DoorEngine {
  readonly state: DoorState;
  /** Calls the listener after every change of `state`. @returns ends it */
  subscribe(listener: () => void): () => void;
  /** Calls the listener when the server's late answer changes a result that was shown. @returns ends it */
  onCorrection(listener: (result: ScanResult) => void): () => void;
  /** Opens the storage and continues where the app was closed. */
  start(): Promise<void>;
  /** Spends a pairing token or a team code. @throws DoorError with the code of the problem */
  pair(code: string, label?: string): Promise<void>;
  /**
   * Pairs a phone that is paired with another code: its journal is sent first, and what it had stays when the code fails.
   * @throws DoorError as `pair`; `unsent` while lines wait and no server answers
   */
  pairAgain(code: string, label?: string): Promise<void>;
  /** Whether the phone was paired with this code: then it need not be spent again. */
  isOwnCode(code: string): Promise<boolean>;
  loadEvents(): Promise<void>;
  open(eventId: string, gateId: string | null): Promise<void>;
  changeGate(gateId: string | null): Promise<void>;
  turn(direction: Direction): void;
  /** Back to the choice of events. */
  close(): Promise<void>;
  /** Decides about a code. The verdict is on disk before it settles. Never throws: failures are results. */
  scan(text: string, source: 'camera' | 'keyboard' | 'typed' | 'nfc'): Promise<ScanResult>;
  /** A code of the camera stays in view: as long as it does, it was not used by somebody else. */
  held(text: string): void;
  /** Lets in after `ask`. */
  admit(scanId: string): Promise<ScanResult>;
  /** Lets in so many of the reservation of this result. */
  admitGroup(scanId: string, tickets: number): Promise<ScanResult>;
  /** Takes a result back: within `undoUntil` without a reason, later with one (supervisors). */
  undo(scanId: string, reason?: string): Promise<void>;
  /**
   * Asks the server about a result that nobody decided: call it when the phone is connected again while the result is on the screen. What
   * becomes of an attempt comes as a correction.
   * @returns the result that takes the place of a typed reference or a card; null: there is none
   */
  askAgain(scanId: string): Promise<ScanResult | null>;
  /** Searches by name, e-mail or reference; only for roles that may. @throws DoorError */
  search(words: string): Promise<readonly FoundTicket[]>;
  /** The text of a keyboard scanner whose layout may differ from the phone's: the one whose signature verifies. */
  readStrokes(strokes: ReadonlyArray<{ readonly key: string; readonly code: string; readonly shift: boolean }>): Promise<string>;
  /** Begins or ends practice. @throws TypeError when neither the phone nor the network has the file for it */
  practise(on: boolean): Promise<void>;
  /**
   * Continues in this tab, while another one has the app open; that one ends.
   * @returns false: this tab was ended before, and has to be loaded again
   */
  takeOver(): boolean;
  /** The app came to the front, or the browser says that there is a network: looks at once. */
  wake(): void;
  /**
   * Destroys all data of the app on this phone, after the journal was sent.
   * @throws DoorError `unsent` while lines wait and no server answers
   */
  unpair(): Promise<void>;
}
