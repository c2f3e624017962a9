import { sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';

const version = 1;
const shape = /^([A-Za-z0-9_-]{24}):([A-Za-z0-9_-]{86})$/;

/** The content of a scanned code before its signature is verified. */
export interface UnverifiedCode {
  readonly keyId: number;
  readonly ticketId: string;
  /** The signed text. */
  readonly signedText: string;
  readonly signature: Buffer;
}

/**
 * Renders `<data>:<signature>` (decisions 4), 111 characters: `data` is base64url of version, key id and ticket UUID; `signature` is
 * Ed25519 (RFC 8032, deterministic) over the ASCII of `data`.
 */
export function renderCode(keyId: number, ticketId: string, privateKey: KeyObject): string {
  const signedText = Buffer.concat([Buffer.of(version, keyId), Buffer.from(ticketId.replaceAll('-', ''), 'hex')]).toString('base64url');
  return `${signedText}:${sign(null, Buffer.from(signedText, 'ascii'), privateKey).toString('base64url')}`;
}

/** Parses a scanned string. Verify the result with `codeIsGenuine` before using it. @returns undefined when the format is wrong */
export function parseCode(text: string): UnverifiedCode | undefined {
  const match = text.length === 111 ? shape.exec(text) : null;
  if (!match) return undefined;
  const [, signedText, signatureText] = match as unknown as [string, string, string];
  const bytes = Buffer.from(signedText, 'base64url');
  const signature = Buffer.from(signatureText, 'base64url');
  // 86 characters hold four bits more than 64 bytes: only the canonical spelling is accepted, so that a ticket has one code.
  if (bytes[0] !== version || signature.toString('base64url') !== signatureText) return undefined;
  const hex = bytes.toString('hex', 2);
  const ticketId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { keyId: bytes[1] as number, ticketId, signedText, signature };
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
