import type { Rgb } from '#kernel';
import type { SendMailOptions } from 'nodemailer/lib/mailer';
import type { PdfProperties } from '../pdf/tagged-pdf.js';

/** The texts of one ticket, in the language of its holder and formatted. */
export interface TicketTexts {
  readonly number: string;
  readonly venue: string;
  readonly event: string;
  readonly subtitle: string;
  readonly when: string;
  readonly place: string;
  readonly holder: string;
  readonly price: string;
  readonly show: string;
  readonly reference: string;
  readonly id: string;
  /** What the picture of the code shows, for screen readers. */
  readonly picture: string;
  readonly code: string;
}

/** The texts of a membership card, in the language of the member and formatted. */
export interface CardTexts {
  readonly venue: string;
  readonly name: string;
  readonly member: string;
  /** The first and the last day. */
  readonly validity: readonly string[];
  readonly reference: string;
  /** What the picture of the code shows, for screen readers. */
  readonly picture: string;
  readonly code: string;
}

export interface TicketsDrawing {
  /** One A5 page per ticket, or eight tickets per A4 page for cutting. */
  readonly kind: 'tickets' | 'ticket-sheet';
  readonly about: PdfProperties;
  readonly tickets: readonly TicketTexts[];
  /** JPEG; only A5 pages show it. */
  readonly logo?: Uint8Array | undefined;
  /** Of the venue, readable on white, `#rrggbb`; only A5 pages show it. Default: that of Guichet. */
  readonly accent?: string;
}

export interface CardDrawing {
  readonly kind: 'membership-card';
  readonly about: PdfProperties;
  readonly card: CardTexts;
  /** JPEG. */
  readonly logo?: Uint8Array | undefined;
  /** Of the venue, readable on white, `#rrggbb`. */
  readonly accent: string;
}

/** A text and an amount on one line. */
export interface AmountLine {
  readonly label: string;
  readonly amount: string;
  readonly isStrong?: boolean;
}

/** The texts of a receipt, in the language of the buyer and formatted. */
export interface ReceiptTexts {
  readonly venue: string;
  /** How to reach the venue, a line each. */
  readonly address: readonly string[];
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly lines: readonly AmountLine[];
  /** Total, VAT, payments and refunds. */
  readonly sums: readonly AmountLine[];
  /** Paragraphs below. */
  readonly closing?: readonly string[];
  /** The label of a place for a signature. */
  readonly signature?: string;
  /** A QR code below, with what it shows and what it is for. */
  readonly code?: { readonly content: string; readonly picture: string; readonly caption: string };
}

export interface ReceiptDrawing {
  readonly kind: 'receipt';
  readonly about: PdfProperties;
  readonly receipt: ReceiptTexts;
  /** JPEG. */
  readonly logo?: Uint8Array | undefined;
}

/** A QR code as PNG. */
export interface QrDrawing {
  readonly kind: 'qr-picture';
  readonly code: string;
}

/** The texts of the picture of an event, formatted. */
export interface ShareTexts {
  readonly venue: string;
  readonly name: string;
  readonly when: string;
  readonly place: string;
}

/** A ground and the colour of letters on it. Computed before, because threads load no other lib: `#kernel` takes a second. */
export interface DrawingColours {
  readonly ground: Rgb;
  readonly ink: Rgb;
}

/** The picture of an event for link previews, as PNG. */
export interface ShareDrawing {
  readonly kind: 'share-picture';
  readonly texts: ShareTexts;
  readonly colours: DrawingColours;
}

/** Signed passes for Apple Wallet: a `.pkpass` file for one, a `.pkpasses` file for several. */
export interface ApplePassDrawing {
  readonly kind: 'apple-pass';
  /** The content of each pass.json, at least one. */
  readonly passes: readonly object[];
  /** By language: translations of texts in the pass. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Its first letter is the icon. */
  readonly venue: string;
  /** Of the icon. */
  readonly colours: DrawingColours;
  /** JPEG. */
  readonly logo?: Uint8Array | undefined;
  /** PEM: the venue's certificate, its RSA key without a passphrase, and the certificate of the issuer. */
  readonly signing: { readonly certificate: string; readonly privateKey: string; readonly authority: string };
}

/** An event as an iCalendar file (RFC 5545). Texts are one line each; times are instants. */
export interface CalendarDrawing {
  readonly kind: 'calendar';
  /** `PUBLISH` adds the event to a calendar, `CANCEL` removes it (RFC 5546). */
  readonly method: 'PUBLISH' | 'CANCEL';
  readonly id: string;
  /** Increases with each change, so that a later file replaces this one. */
  readonly sequence: number;
  /** When this file was made. */
  readonly stamp: Date;
  readonly lastModified: Date;
  readonly organizer: { readonly name: string; readonly email: string };
  readonly start: Date;
  readonly end?: Date;
  /** Its time is not certain. */
  readonly isTentative: boolean;
  readonly summary: string;
  readonly description: string;
  readonly location?: string;
  readonly url?: string;
}

/** A file or a picture. */
export type FileDrawing = TicketsDrawing | CardDrawing | ReceiptDrawing | QrDrawing | ShareDrawing | ApplePassDrawing | CalendarDrawing;

/** A whole mail with its attachments (RFC 5322), as it leaves. */
export interface MailDrawing {
  readonly kind: 'mail';
  readonly options: Omit<SendMailOptions, 'attachments'> & { readonly attachments: readonly AttachmentDrawing[] };
}

/** An attachment in nodemailer's words, or one whose content is drawn. */
export interface AttachmentDrawing {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array | FileDrawing;
  readonly cid?: string;
  readonly contentDisposition?: 'inline';
}

/** What a thread draws: plain data that can be copied to it, with final texts. */
export type Drawing = FileDrawing | MailDrawing;
