import type { MembershipStatus, TicketStatus } from '#booking';
import type { Language } from '#kernel';

/** Refusals of a genuine ticket, answered with 200 (docs/decisions.md, section 5). */
export const scanReasons = [
  'already_scanned',
  'cancelled',
  'not_admission',
  'not_paid',
  'not_active',
  'wrong_event',
  'too_early',
  'too_late',
] as const;
export type ScanRefusal = (typeof scanReasons)[number];

/** Refusals of a membership card; `membership`: a valid card, which can be checked but not scanned. */
export const cardReasons = ['expired', 'not_yet_valid', 'cancelled', 'not_paid', 'membership'] as const;
export type CardRefusal = (typeof cardReasons)[number];

/** Refusals of an undo. */
export const undoReasons = ['not_scanned', 'not_fulfilled', 'other_device', 'undo_expired'] as const;
export type UndoRefusal = (typeof undoReasons)[number];

/** Additional refusals when goods are handed out. */
export const fulfilReasons = ['admission', 'already_fulfilled'] as const;
export type FulfilRefusal = (typeof fulfilReasons)[number];

/** Codes that are not a ticket of this tenant; answered as problems. */
export type CodeFault = 'missing' | 'malformed' | 'forged' | 'revoked' | 'unknown' | 'unknown_scan';

/** All outcomes of an attempt. */
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

/** Names of the holder of a ticket or a card. */
export interface Holder {
  readonly firstName: string;
  readonly lastName: string;
}

/** Facts about a membership card. */
export interface CardFacts extends Holder {
  readonly uuid: string;
  readonly status: MembershipStatus;
  readonly price: string;
  readonly product: string;
  readonly validFrom: string;
  /** null: no end. */
  readonly validUntil: string | null;
}

/**
 * All facts of an answer, as the deciding statement found them. The first answer and its replay are rendered from the same facts, so they
 * have the same bytes. Instants are texts in UTC with microseconds.
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
        /** For goods: when and by whom they were handed out. Facts of older scans lack them. */
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
  /** Set when the code was a membership card and not a ticket. */
  readonly membership?: CardFacts | null;
}
