import type { PublicEventColumns } from '#catalogue';
import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
import type { OwnTexts } from '../layout/own-texts.js';

export interface MailPlace {
  readonly name: string | null;
  readonly street: string | null;
  readonly city: string | null;
  /** Address of a map that shows it. */
  readonly map?: string | undefined;
}

/** An event with all columns that everybody may read; without one where it is an example. */
export interface MailEvent extends Readonly<Partial<Omit<PublicEventColumns, 'url'>>> {
  readonly name: string;
  readonly subtitle: string | null;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly place: MailPlace | null;
  /** Address of its public page. */
  readonly url: string;
  /** Increases with every change. */
  readonly sequence: number;
  readonly changedAt: Date;
  /** `customConfirmationMessage`: text or cleaned HTML. */
  readonly confirmationHtml: string | null;
}

export interface MailReservation {
  readonly id: string;
  /** Short reference for people. */
  readonly reference: string;
  /** Empty when the buyer gave none; then the tickets are only printed. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Decimal text. */
  readonly total: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Increases with every change. */
  readonly sequence: number;
  /** The code that its tickets use, and what it saves, decimal text. */
  readonly usedCode?: { readonly code: string; readonly saved: string } | null;
  /** Discounts without a code, and what each saves; decimal text. */
  readonly discounts?: readonly { readonly name: string; readonly saved: string }[];
}

/** A ticket in a list of amounts. */
export interface MailLine {
  /** Empty when the ticket has no name. */
  readonly holder: string;
  readonly product: string;
  readonly price: string;
  /** Decimal text, in the currency of the reservation. */
  readonly amount: string;
}

export interface MailTicket extends MailLine {
  readonly id: string;
  /** `qrcode_data`. */
  readonly code: string;
  /** False for goods, whose code is shown when they are handed out. */
  readonly admission: boolean;
  /** Addresses that add the ticket to a wallet; absent where the venue makes no passes. */
  readonly wallets?: { readonly apple?: string; readonly google?: string };
}

/** Data of all mails about a reservation. */
export interface BookingMailFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly reservation: MailReservation;
  readonly event: MailEvent;
  /** The recipient confirmed the address. Default: mails show nothing that the person who booked typed. */
  readonly isConfirmed?: boolean;
  /** Address of the holder's page; its signature is the holder's right. */
  readonly holderUrl: string;
  /** Texts of the venue in the language of the mail. */
  readonly own?: OwnTexts;
  /** Page where the buyer withdraws from the contract about the goods; absent: not possible. */
  readonly withdrawUrl?: string | undefined;
  /** It is about goods alone, which are not called tickets. */
  readonly isGoods?: boolean;
  /** The recipient did not pay: the ticket was a gift, whose price is not told. */
  readonly hidesAmounts?: boolean;
}

/** Facts of a mail about a whole order. */
interface OrderMailFacts<Part> extends BookingMailFacts {
  /** The same about other events of the order. */
  readonly others?: readonly Part[];
}

export interface ReservationMailFacts extends OrderMailFacts<ReservationMailFacts> {
  /** The codes replace earlier ones, which are no longer valid. */
  readonly isReplacement?: boolean;
  /** Somebody gave this ticket to the recipient. */
  readonly isGift?: boolean;
  /** A seller wrote the names: staff, or a program with a key. The PDF has them whether or not the recipient confirmed the address. */
  readonly isBySeller?: boolean;
  readonly tickets: readonly MailTicket[];
}

export interface ConfirmEmailFacts extends OrderMailFacts<ConfirmEmailFacts> {
  readonly confirmUrl: string;
  /** Minutes during which the link is valid. */
  readonly minutes: number;
  /** Six digits that confirm on the page of the order; absent: only the link does. */
  readonly code?: string | undefined;
  readonly ticketsCount: number;
  /** A member confirms before the payment. Default: tickets follow the confirmation. */
  readonly paysOnline?: boolean;
}

/** What is to be transferred for an order. */
export interface MailTransfer {
  readonly holder: string;
  readonly iban: string;
  readonly bic: string;
  /** Of the whole order, decimal text. */
  readonly amount: string;
  /** What arrived before, decimal text. */
  readonly received: string;
  readonly currency: string;
  readonly reference: string;
  /** ISO 11649. */
  readonly creditorReference: string;
  /** ISO date. */
  readonly dueOn: string;
  /** The content of the QR code for banking programs. */
  readonly epc: string;
}

/** A reservation that is to be paid at the venue. */
export interface PayAtVenueFacts extends OrderMailFacts<PayAtVenueFacts> {
  readonly lines: readonly MailLine[];
  /** It is to be paid before this time. */
  readonly payBefore: Date;
  /** It is paid by bank transfer instead. */
  readonly transfer?: MailTransfer | undefined;
  /** Minutes during which the buyer can confirm the e-mail address on the holder's page; absent: it is confirmed. */
  readonly minutes?: number;
  /** As in `ConfirmEmailFacts`. */
  readonly code?: string | undefined;
}

/** An order that is paid by bank transfer. */
export interface TransferMailFacts extends PayAtVenueFacts {
  readonly transfer: MailTransfer;
}

/** A refund. Online payments are refunded automatically, payments at the venue by staff. */
export interface Refund {
  /** Decimal text in the currency of the reservation. */
  readonly amount: string;
  /** `processing`: the bank has not transferred the payment yet; it is refunded after it arrives. Default `online`. */
  readonly way?: 'online' | 'cash' | 'card' | 'gift_card' | 'transfer' | 'processing';
}

export interface ReservationCancelledFacts extends BookingMailFacts {
  /** Note of the venue, plain text; may be empty. */
  readonly words: string;
  /** Empty: nothing was paid. */
  readonly refunds: readonly Refund[];
}

/** A ticket that its holder offers to the recipient of the mail. */
export interface TicketOfferedFacts extends BookingMailFacts {
  /** Name of the holder. */
  readonly giver: string;
  /** Words of the holder, plain text without addresses; may be empty. */
  readonly words: string;
}

/** A ticket that its holder gave to somebody else; the recipient of the mail is that holder. */
export interface TicketGivenFacts extends BookingMailFacts {
  /** Name on the ticket before; may be empty. */
  readonly ticketName: string;
  /** Name and address of the new holder; empty: not said. */
  readonly newHolder: string;
  /** The recipient booked it; otherwise somebody had given it to the recipient. */
  readonly isBuyer: boolean;
}

/** Some tickets of a reservation that were cancelled while others stay valid. */
export interface TicketsCancelledFacts extends BookingMailFacts {
  /** Who cancelled them; `holder`: the person to whom the recipient had given them. */
  readonly by: 'recipient' | 'holder' | 'venue';
  /** Note of the venue, plain text; may be empty. */
  readonly words: string;
  readonly cancelled: readonly MailLine[];
  /** Number of valid tickets that the recipient still holds. */
  readonly left: number;
  /** Empty: nothing was paid. Absent: the recipient did not book them, so refunds concern somebody else. */
  readonly refunds?: readonly Refund[];
}

export interface EventCancelledFacts extends BookingMailFacts {
  /** Note of the venue, plain text; may be empty. */
  readonly words: string;
  /** Empty: nothing was paid. */
  readonly refunds: readonly Refund[];
}

/** A change of time, place or status of the event. */
export interface EventChangedFacts extends BookingMailFacts {
  /** Note of the venue, plain text; may be empty. */
  readonly words: string;
  /** What the event was. */
  readonly before: Pick<MailEvent, 'startsAt' | 'endsAt' | 'doorsAt' | 'alteration' | 'place'>;
  /** Until when the holder can return tickets on the holder's page; absent: not there. */
  readonly returnUntil?: Date;
}

/** A message of staff; plain texts. */
export interface EventMessageFacts extends BookingMailFacts {
  readonly subject: string;
  readonly words: string;
}

/** A payment that is refunded as soon as it arrives. */
export interface RefundedFacts extends BookingMailFacts {
  readonly refund: Refund;
  /**
   * `late`: it arrived after the hold; `twice`: the reservation was also paid in another way and stays valid; `limit`: one person may not
   * have as many.
   */
  readonly cause: 'late' | 'twice' | 'limit';
}

/** Tickets of one price and amount, or a membership, on a receipt. */
export interface ReceiptItem {
  readonly what: string;
  /** Of one; decimal text. */
  readonly amount: string;
  readonly quantity: number;
  /** In percent; null: unknown. */
  readonly vatRate: string | null;
  /** VAT in the amounts of all of them; decimal text; null: unknown. */
  readonly vat: string | null;
}

/** What was sold and paid. */
interface ReceiptAmounts {
  readonly items: readonly ReceiptItem[];
  /** The oldest first. */
  readonly payments: readonly {
    readonly kind: 'payment' | 'refund';
    /** Name of the method in the language of the receipt. */
    readonly method: string;
    /** Decimal text. */
    readonly amount: string;
    /** null: a refund that is still due. */
    readonly at: Date | null;
  }[];
}

/** The receipt of a reservation, or of a membership. */
export type ReceiptFacts = (BookingMailFacts | MembershipMailFacts) & ReceiptAmounts;

export interface MembershipMailFacts {
  /** See `BookingMailFacts`. */
  readonly isConfirmed?: boolean;
  /** As for tickets. */
  readonly isBySeller?: boolean;
  /** The code replaces an earlier one, which is no longer valid. */
  readonly isReplacement?: boolean;
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly own?: OwnTexts;
  /** Page of the membership, with its signed link. */
  readonly holderUrl: string;
  /** Page where the member withdraws from the contract, and until when; absent: not possible. */
  readonly withdrawal?: { readonly url: string; readonly until: Date } | undefined;
  readonly membership: {
    readonly id: string;
    readonly reference: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    /** Name of product and price: `Adhésion 2026 · Plein tarif`. */
    readonly name: string;
    readonly amount: string;
    readonly currency: string;
    readonly validFrom: Date;
    /** End; when it is midnight, mails show the day before. null: no end. */
    readonly validUntil: Date | null;
    /** Content of its QR code. */
    readonly code: string;
  };
}
