import { fromBase64url, toBase64url, uuidOf, type Bytes } from './bytes.js';

/** The content of a scanned code of a ticket or a membership, before its signature is verified. */
export interface TicketCode {
  readonly text: string;
  readonly kid: string;
  readonly ticketId: string;
  readonly idBytes: Bytes;
  /** Number of transfers of the ticket when the code was made. */
  readonly transfers: number;
  /** The ASCII text that is signed; empty: the ticket was found without its code, and `text` is its id. */
  readonly signedText: string;
  readonly signature: Bytes;
}

/** What a scanned or typed text is. */
export type Reading =
  | { readonly kind: 'ticket'; readonly code: TicketCode }
  /** The UID of an NFC card. */
  | { readonly kind: 'card'; readonly tag: string }
  /** The printed reference of a reservation or a ticket: the beginning of its UUID. */
  | { readonly kind: 'reference'; readonly reference: string }
  | { readonly kind: 'malformed' };

const shape = /^([A-Za-z0-9_-]{24}(?:[A-Za-z0-9_-]{4})?):([A-Za-z0-9_-]{86})$/;
/** Characters of a code by the version of its format. */
const lengths = { 1: 111, 2: 115 } as const;
/** Longer texts are no code and are not looked at. */
const longest = 200;
const tagBytes: ReadonlySet<number> = new Set([4, 7, 10]);

/** Parses the code of a ticket: the format of docs/scanning.md. @returns undefined when the format is wrong */
export function parseCode(text: string): TicketCode | undefined {
  const match = text.length <= lengths[2] ? shape.exec(text) : null;
  if (!match) return undefined;
  const [, signedText = '', signatureText = ''] = match;
  const bytes = fromBase64url(signedText);
  const signature = fromBase64url(signatureText);
  if (!bytes || !signature) return undefined;
  const format = text.length === lengths[1] ? 1 : 2;
  const [version, kid, high = 0, middle = 0, low = 0] = [bytes[0], bytes[1], bytes[18], bytes[19], bytes[20]];
  const transfers = high * 65_536 + middle * 256 + low;
  // 86 characters hold four bits more than 64 bytes: a ticket has one code, so only the canonical spelling counts.
  if (version !== format || (format === 2 && transfers === 0) || toBase64url(signature) !== signatureText) return undefined;
  const idBytes = bytes.slice(2, 18);
  return { text, kid: String(kid), ticketId: uuidOf(idBytes), idBytes, transfers, signedText, signature };
}

/** Reads a text from the camera, a keyboard scanner, a person or an NFC reader. Eight typed digits are a reference, scanned ones a card. */
export function readText(raw: string, source: 'camera' | 'keyboard' | 'typed' | 'nfc'): Reading {
  if (raw.length > longest) return { kind: 'malformed' };
  const text = raw.trim();
  const code = parseCode(text);
  if (code) return { kind: 'ticket', code };
  if (source === 'typed') {
    const reference = readReference(text);
    if (reference) return { kind: 'reference', reference };
  }
  const tag = source === 'camera' ? undefined : readTag(text);
  return tag ? { kind: 'card', tag } : { kind: 'malformed' };
}

/** A printed reference, or the UUID at the foot of a ticket: lower-case hexadecimal digits. @returns undefined when the text is none */
export function readReference(text: string): string | undefined {
  const digits = text.replaceAll(/[\s#-]/g, '').toLowerCase();
  return (digits.length === 8 || digits.length === 32) && /^[0-9a-f]+$/.test(digits) ? digits : undefined;
}

function readTag(text: string): string | undefined {
  const digits = text.replaceAll(/(?<=[0-9a-f]{2})[:\- ](?=[0-9a-f]{2})/gi, '');
  return /^[0-9a-f]+$/i.test(digits) && tagBytes.has(digits.length / 2) ? digits.toUpperCase() : undefined;
}

/** Begins the code of a practice ticket of the panel, which only the server knows whole. */
export const panelTicket = 'GUICHET-PRACTICE:TICKET:';
