import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Characters of a pasted certificate or key; those of the providers have 2,000 to 4,000. */
export const longestPem = 10_000;
export const longestPassphrase = 200;

/** Rounds by which a passphrase may be turned into a key. OpenSSL uses 2,048; more than this would block the process. */
const mostRounds = 20_000;
const scrypt = '2b06010401da47040b';

/** A text between its BEGIN and END lines, whatever stands around it. @returns undefined when there is none */
export function pemBlock(text: string, label: string): string | undefined {
  const end = `-----END ${label}-----`;
  const from = text.indexOf(`-----BEGIN ${label}-----`);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? undefined : `${text.slice(from, to + end.length)}\n`;
}

/**
 * Reads an RSA key of 2,048 to 4,096 bits.
 * @param text PEM (PKCS #1 or #8) of at most `longestPem` characters; other texts may stand around it
 * @returns undefined when it is none, its passphrase is wrong, or its parts have sizes that no real key has
 */
export function readRsaKey(text: string, passphrase = ''): KeyObject | undefined {
  const labels = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'];
  const pem = labels.map((label) => pemBlock(text, label)).find((block) => block !== undefined);
  if (pem === undefined || (pem.includes('ENCRYPTED PRIVATE') && !opensQuickly(pem))) return undefined;
  try {
    const key = createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== '' && { passphrase }) });
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2048 || modulusLength > 4096) return undefined;
    const { n = '', kty: _, ...parts } = key.export({ format: 'jwk' });
    return Object.values(parts).every((part) => String(part).length <= n.length) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the passphrase of an encrypted key (PKCS #8) is turned into a key with few rounds. */
function opensQuickly(pem: string): boolean {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  try {
    const [algorithm] = contentsOf(contentsOf(der)[0]!.content);
    const numbers = algorithm ? valuesIn(algorithm.content) : [];
    return numbers.every(({ tag, content }) =>
      tag === 0x02 ? content.length <= 3 && content.readUIntBE(0, content.length) <= mostRounds : content.toString('hex') !== scrypt,
    );
  } catch {
    return false;
  }
}

interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
}

/** All numbers and object identifiers in sequences within sequences. */
function valuesIn(der: Buffer, depth = 0): DerValue[] {
  if (depth > 8) throw new RangeError('too deep');
  return contentsOf(der).flatMap((value) => {
    if (value.tag === 0x30) return valuesIn(value.content, depth + 1);
    return value.tag === 0x02 || value.tag === 0x06 ? [value] : [];
  });
}

/** @throws RangeError when it is not DER */
function contentsOf(der: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < der.length;) {
    const tag = der.readUInt8(at);
    const first = der.readUInt8(at + 1);
    const bytes = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || bytes > 3) throw new RangeError('length');
    const length = bytes === 0 ? first : der.readUIntBE(at + 2, bytes);
    const start = at + 2 + bytes;
    if (start + length > der.length) throw new RangeError('cut off');
    values.push({ tag, content: der.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}
