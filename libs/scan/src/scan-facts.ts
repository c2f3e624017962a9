import type { MembershipStatus, TicketStatus } from '#booking';
import type { Language } from '#kernel';

/** Refusals of a genuine ticket, answered with 200 (decisions 5). */
export type ScanRefusal =
  | 'already_scanned'
  | 'cancelled'
  | 'not_admission'
  | 'not_paid'
  | 'not_active'
  | 'wrong_event'
  | 'too_early'
  | 'too_late';
/** Refusals of a membership's card; `membership`: it is looked at, not scanned. */
export type CardRefusal = 'expired' | 'not_yet_valid' | 'cancelled' | 'not_paid' | 'membership';
/** Refusals of an undo. */
export type UndoRefusal = 'not_scanned' | 'not_fulfilled' | 'other_device' | 'undo_expired';
/** Refusals of handing out, beside those of a scan. */
export type FulfilRefusal = 'admission' | 'already_fulfilled';
/** Codes that are no ticket of this tenant: problems. */
export type CodeFault = 'missing' | 'malformed' | 'forged' | 'revoked' | 'unknown' | 'unknown_scan';

/** Everything that can come of an attempt at the door. */
export type ScanOutcome =
  | 'accepted'
  | 'undone'
  /** Goods were handed out. */
  | 'fulfilled'
  | ScanRefusal
  | CardRefusal
  | UndoRefusal
  | FulfilRefusal
  | CodeFault;

/** Names of the person a ticket or a card is for. */
export interface Holder {
  readonly firstName: string;
  readonly lastName: string;
}

/** What is said of a membership's card. */
export interface CardFacts extends Holder {
  readonly uuid: string;
  readonly status: MembershipStatus;
  readonly price: string;
  readonly product: string;
  readonly validFrom: string;
  /** null: without end. */
  readonly validUntil: string | null;
}

/**
 * Everything an answer says, as the one deciding statement found it. First answer and repeat are rendered from the same facts, so they
 * are the same bytes. Instants are texts in UTC with microseconds.
 */
export interface ScanFacts {
  readonly outcome: ScanOutcome;
  readonly language: Language;
  readonly timeZone: string;
  readonly requestId: string;
  readonly ticket?:
    | (Holder & {
        readonly uuid: string;
        readonly status: TicketStatus;
        readonly price: string;
        readonly product: string;
        readonly scannedBy: string | null;
        readonly scannedByName: string | null;
        readonly scannedAt: string | null;
        /** Of goods that were handed out: when and by whom. Facts of older scans do not have them. */
        readonly fulfilledAt?: string | null;
        readonly fulfilledByName?: string | null;
      })
    | null;
  readonly event?: {
    readonly uuid: string;
    readonly name: string;
    readonly place: string | null;
    readonly startsAt: string;
    readonly opensAt: string | null;
    readonly closesAt: string | null;
  } | null;
  readonly reservation?: { readonly uuid: string; readonly ticketsCount: number } | null;
  /** When it was a membership's card and no ticket. */
  readonly membership?: CardFacts | null;
}
