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
}

export interface CardDrawing {
  readonly kind: 'membership-card';
  readonly about: PdfProperties;
  readonly card: CardTexts;
  /** JPEG. */
  readonly logo?: Uint8Array | undefined;
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

/** The picture of an event for link previews, as PNG. */
export interface ShareDrawing {
  readonly kind: 'share-picture';
  readonly texts: ShareTexts;
  /** `#rrggbb` */
  readonly accent: string;
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
  /** `#rrggbb` */
  readonly accent: string;
  /** JPEG. */
  readonly logo?: Uint8Array | undefined;
  /** PEM: the venue's certificate, its RSA key without a passphrase, and the certificate of the issuer. */
  readonly signing: { readonly certificate: string; readonly privateKey: string; readonly authority: string };
}

/** What a thread draws: plain data that can be copied to it, with final texts. */
export type Drawing = TicketsDrawing | CardDrawing | ReceiptDrawing | QrDrawing | ShareDrawing | ApplePassDrawing;
