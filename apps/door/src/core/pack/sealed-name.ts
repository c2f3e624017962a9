import { concatBytes, fromBase64url, textOf, utf8, type Bytes } from '../codes/bytes.js';

/**
 * Opens the name of a ticket. Only the signature of its code opens it, so a stored list shows no names.
 * @param sealed 4 random bytes and AES-256-GCM of `[first, last]`, base64url @param signature the 64 bytes of the code's signature
 * @returns null when it does not open
 */
export async function openName(
  sealed: string,
  signature: Bytes,
  salt: Bytes,
): Promise<{ readonly firstName: string; readonly lastName: string } | null> {
  const bytes = fromBase64url(sealed);
  if (!bytes || bytes.length < 20) return null;
  try {
    const info = concatBytes(utf8('name'), bytes.subarray(0, 4));
    const material = await crypto.subtle.importKey('raw', signature, 'HKDF', false, ['deriveKey']);
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info };
    const key = await crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, bytes.slice(4));
    const [firstName, lastName] = JSON.parse(textOf(plain)) as [string, string];
    return { firstName, lastName };
  } catch {
    return null;
  }
}
