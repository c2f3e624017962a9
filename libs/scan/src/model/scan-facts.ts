import type { MembershipStatus } from '#memberships';
import type { TicketStatus } from '#tickets';
import type { Language } from '#kernel';
import type { ScanDirection } from './scan-log.entity.js';

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

/** Additional refusals at a gate; only devices that name a gate or a direction get them. */
export const gateReasons = ['wrong_gate', 'no_reentry', 'not_inside', 'not_enough'] as const;
export type GateRefusal = (typeof gateReasons)[number];

/** Refusals of a membership card; `membership`: a valid card, which can be checked but not scanned. */
export const cardReasons = ['expired', 'not_yet_valid', 'cancelled', 'not_paid', 'membership'] as const;
export type CardRefusal = (typeof cardReasons)[number];
/** Whether a membership is valid now, or why not. */
export const cardValidities = ['valid', 'expired', 'not_yet_valid', 'cancelled', 'not_paid'] as const;
export type CardValidity = (typeof cardValidities)[number];

/** Refusals of an undo. */
/** `superseded`: the ticket moved again since. */
export const undoReasons = ['not_scanned', 'not_fulfilled', 'other_device', 'undo_expired', 'superseded'] as const;
export type UndoRefusal = (typeof undoReasons)[number];

/** Additional refusals when goods are handed out. */
export const fulfilReasons = ['admission', 'already_fulfilled'] as const;
export type FulfilRefusal = (typeof fulfilReasons)[number];

/** Codes that are not a ticket of this tenant, unknown gates, and acts that the role of the device excludes; answered as problems. */
export type CodeFault = 'missing' | 'malformed' | 'forged' | 'revoked' | 'unknown' | 'unknown_scan' | 'unknown_gate' | 'not_permitted';

/** All outcomes of an attempt. */
export type ScanOutcome =
  /** A first entry. */
  | 'accepted'
  /** An entry after an exit. */
  | 'readmitted'
  /** An exit. */
  | 'left'
  | 'undone'
  /** Goods were handed out. */
  | 'fulfilled'
  | ScanRefusal
  | GateRefusal
  | CardRefusal
  | UndoRefusal
  | FulfilRefusal
  | CodeFault;

/** Names of the holder of a ticket or a card. */
export interface Holder {
  readonly firstName: string;
  readonly lastName: string;
}

export interface GateFacts {
  readonly uuid: string;
  readonly name: string;
}

/** Where a ticket of a reservation is; `expected`: valid and not scanned yet; `not_valid`: not paid, or not confirmed. */
export const groupPlaces = ['expected', 'inside', 'outside', 'not_valid'] as const;
export type GroupPlace = (typeof groupPlaces)[number];

/** Facts for devices that name a gate or a direction. */
export interface DoorFacts {
  readonly direction: ScanDirection;
  readonly gate: GateFacts | null;
  /** The gate of the ticket's last movement. */
  readonly lastGate: GateFacts | null;
  readonly leftAt: string | null;
  /** With `cancelled`: since when; null: unknown. Facts of older scans lack it. */
  readonly cancelledAt?: string | null;
  /** With `not_paid`: what the reservation costs, as decimal text; null: nothing. Facts of older scans lack it. */
  readonly due?: string | null;
  /** Notes of the event and of the price, and the youngest age of the event. Facts of older scans lack them. */
  readonly notes?: readonly (string | null)[];
  readonly age?: number | null;
  /** With `wrong_gate`: the gates that the ticket may pass. */
  readonly passes: readonly GateFacts[] | null;
  /** With a number of tickets: those that could move, before this attempt, and those that it moved. */
  readonly available?: number;
  readonly moved?: readonly string[];
  /** The admission tickets of the reservation that are not cancelled, after this attempt. */
  readonly group: readonly {
    readonly uuid: string;
    readonly place: GroupPlace;
    readonly price: string;
    readonly product: string;
    /** Only for devices that may search tickets, and never in the log. */
    readonly holder?: Holder;
  }[];
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
  /** At the moment of the attempt. Facts of older attempts lack it. */
  readonly validity?: CardValidity;
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
  /** Only when the device named a gate or a direction. */
  readonly door?: DoorFacts;
  /** Set when the code was a membership card and not a ticket. */
  readonly membership?: CardFacts | null;
}
