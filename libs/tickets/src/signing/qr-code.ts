import { sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';

/** A code has at most so many characters. */
const longest = 115;
const dataShape = /^[A-Za-z0-9_-]{24}(?:[A-Za-z0-9_-]{4})?$/;
const shape = /^([A-Za-z0-9_-]{24}(?:[A-Za-z0-9_-]{4})?):([A-Za-z0-9_-]{86})$/;

/** The content of the signed text of a code. */
export interface CodeData {
  readonly keyId: number;
  readonly ticketId: string;
  /** Number of transfers of the ticket when the code was made. */
  readonly codeVersion: number;
}

/** The content of a scanned code before its signature is verified. */
export interface UnverifiedCode extends CodeData {
  /** The signed text. */
  readonly signedText: string;
  readonly signature: Buffer;
}

/**
 * Renders `<data>:<signature>` (decisions 4), 111 characters: `data` is base64url of version, key id and ticket UUID; `signature` is
 * Ed25519 (RFC 8032, deterministic) over the ASCII of `data`. The code of a ticket that was transferred has format 2, 115 characters: the
 * number of transfers follows the UUID in three bytes.
 */
export function renderCode(keyId: number, ticketId: string, privateKey: KeyObject, codeVersion = 0): string {
  const id = Buffer.from(ticketId.replaceAll('-', ''), 'hex');
  const transfers = Buffer.of(codeVersion >> 16, codeVersion >> 8, codeVersion);
  const data = codeVersion === 0 ? [Buffer.of(1, keyId), id] : [Buffer.of(2, keyId), id, transfers];
  const signedText = Buffer.concat(data).toString('base64url');
  return `${signedText}:${sign(null, Buffer.from(signedText, 'ascii'), privateKey).toString('base64url')}`;
}

/** Parses a scanned string. Verify the result with `codeIsGenuine` before using it. @returns undefined when the format is wrong */
export function parseCode(text: string): UnverifiedCode | undefined {
  const match = text.length <= longest ? shape.exec(text) : null;
  if (!match) return undefined;
  const [, signedText, signatureText] = match as unknown as [string, string, string];
  const data = parseCodeData(signedText);
  const signature = Buffer.from(signatureText, 'base64url');
  // 86 characters hold four bits more than 64 bytes: only the canonical spelling is accepted, so that a ticket has one code.
  if (!data || signature.toString('base64url') !== signatureText) return undefined;
  return { ...data, signedText, signature };
}

/** Parses the part of a code that is signed. @returns undefined when the format is wrong */
export function parseCodeData(signedText: string): CodeData | undefined {
  if (!dataShape.test(signedText)) return undefined;
  const bytes = Buffer.from(signedText, 'base64url');
  const format = bytes.length === 18 ? 1 : 2;
  const codeVersion = format === 1 ? 0 : bytes.readUIntBE(18, 3);
  if (bytes[0] !== format || (format === 2 && codeVersion === 0)) return undefined;
  const hex = bytes.toString('hex', 2, 18);
  const ticketId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { keyId: bytes[1] as number, ticketId, codeVersion };
}

/** Whether the signature of a code is valid for this key. */
export function codeIsGenuine(code: UnverifiedCode, publicKey: KeyObject): boolean {
  return verify(null, Buffer.from(code.signedText, 'ascii'), publicKey, code.signature);
}

/**
 * The same as `codeIsGenuine`, for the owner of the private key: signs again and compares in constant time. Ed25519 is deterministic, and
 * signing takes a third of the time of verification, which every scan would spend.
 */
export function codeIsSignedWith(code: UnverifiedCode, privateKey: KeyObject): boolean {
  return timingSafeEqual(sign(null, Buffer.from(code.signedText, 'ascii'), privateKey), code.signature);
}
