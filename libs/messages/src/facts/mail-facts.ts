import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
export interface MailPlace {
  readonly name: string | null;
  readonly street: string | null;
  readonly city: string | null;
}

export interface MailEvent {
  readonly name: string;
  readonly subtitle: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly place: MailPlace | null;
  /** Of its public page. */
  readonly url: string;
  /** Grows with every change. */
  readonly sequence: number;
  readonly changedAt: Date;
  /** `customConfirmationMessage`: text, or the HTML that events may hold. */
  readonly confirmationHtml: string | null;
}

export interface MailReservation {
  readonly id: string;
  /** What a person says on the telephone. */
  readonly reference: string;
  /** Empty: nobody can be written to, and the tickets are only printed. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Decimal text. */
  readonly total: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Grows with every change. */
  readonly sequence: number;
}

export interface MailTicket {
  readonly id: string;
  /** Empty: nobody in particular. */
  readonly holder: string;
  readonly product: string;
  readonly price: string;
  /** Decimal text, in the currency of the reservation. */
  readonly amount: string;
  /** `qrcode_data`. */
  readonly code: string;
  /** False: goods, whose code is shown where they are handed out. */
  readonly admission: boolean;
}

/** What every mail about a booking speaks of. */
export interface BookingMailFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly reservation: MailReservation;
  readonly event: MailEvent;
}

export interface ReservationMailFacts extends BookingMailFacts {
  /** The codes replace others, which count no more. */
  readonly isReplacement?: boolean;
  readonly tickets: readonly MailTicket[];
}

export interface ConfirmEmailFacts extends BookingMailFacts {
  readonly confirmUrl: string;
  /** How long the link can be used. */
  readonly minutes: number;
  readonly ticketsCount: number;
}

/** Money that goes back: online by itself, or at the venue, as it was paid. Decimal text in the currency of the reservation. */
export interface Refund {
  readonly amount: string;
  /** `processing`: a bank has not sent the payment yet; it goes back once it came. Default `online`. */
  readonly way?: 'online' | 'cash' | 'card' | 'processing';
}

export interface ReservationCancelledFacts extends BookingMailFacts {
  /** Plain text of the venue; empty: it says nothing more. */
  readonly words: string;
  /** Empty: nothing was paid. */
  readonly refunds: readonly Refund[];
}

export interface EventCancelledFacts extends BookingMailFacts {
  /** Plain text of the venue; empty: it says nothing more. */
  readonly words: string;
  /** Empty: nothing was paid. */
  readonly refunds: readonly Refund[];
}

/** Paid after the places were given up. */
export interface RefundedFacts extends BookingMailFacts {
  readonly refund: Refund;
  /** It was paid for in another way as well, and is valid. */
  readonly ticketsStay: boolean;
}

export interface MembershipMailFacts {
  /** The code replaces another, which counts no more. */
  readonly isReplacement?: boolean;
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly membership: {
    readonly id: string;
    readonly reference: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    /** Of the product: `Adhésion 2026`. */
    readonly name: string;
    readonly amount: string;
    readonly currency: string;
    readonly validFrom: Date;
    /** The moment it ends; midnight still means the day before. null: never. */
    readonly validUntil: Date | null;
    /** What its QR code says. */
    readonly code: string;
  };
}
