import { X509Certificate } from 'node:crypto';
import { databaseNow, RefusedInput } from '#kernel';
import { longestPassphrase, longestPem, pemBlock, readRsaKey } from './private-keys.js';
import { walletRefusals } from './wallet-refusals.js';

/** What a venue gets from Apple to sign passes, as it is typed. All PEM. */
export interface TypedApple {
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  readonly certificate: string;
  readonly privateKey: string;
  /** Of the private key; empty: it has none. */
  readonly passphrase: string;
  /** The intermediate certificate of Apple (WWDR) that issued the certificate. */
  readonly authority: string;
}

/** What signs passes. The key needs no passphrase any more. */
export type AppleCredentials = Omit<TypedApple, 'passphrase'>;

const fields = ['passTypeIdentifier', 'teamIdentifier', 'certificate', 'privateKey', 'passphrase', 'authority'] as const;
const longest = { passTypeIdentifier: 200, teamIdentifier: 20, passphrase: longestPassphrase } as const;

/**
 * Checks that certificate, key and identifiers belong together and that nothing has ended.
 * @returns the credentials with the end of the first certificate that ends
 * @throws RefusedInput on the member at fault
 */
export function fitApple(typed: TypedApple): { readonly credentials: AppleCredentials; readonly expiresAt: Date } {
  for (const field of fields) {
    const most = field in longest ? longest[field as keyof typeof longest] : longestPem;
    if (typed[field].length > most) throw refusal(field, 'tooLong');
  }
  const passTypeIdentifier = typed.passTypeIdentifier.trim();
  const teamIdentifier = typed.teamIdentifier.trim();
  if (!/^pass(?:\.[A-Za-z0-9-]+)+$/.test(passTypeIdentifier)) throw refusal('passTypeIdentifier', 'passTypeInvalid');
  if (!/^[A-Z0-9]{10}$/.test(teamIdentifier)) throw refusal('teamIdentifier', 'teamInvalid');
  const certificate = certificateOf(typed.certificate);
  if (!certificate) throw refusal('certificate', 'certificateInvalid');
  const { UID, OU } = subjectOf(certificate);
  if (UID !== passTypeIdentifier) throw refusal('certificate', 'otherPassType');
  if (OU !== teamIdentifier) throw refusal('teamIdentifier', 'otherTeam');
  const key = readRsaKey(typed.privateKey, typed.passphrase);
  if (!key) throw refusal('privateKey', 'keyInvalid');
  if (!certificate.checkPrivateKey(key)) throw refusal('privateKey', 'otherKey');
  const authority = certificateOf(typed.authority);
  if (!authority) throw refusal('authority', 'certificateInvalid');
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) throw refusal('authority', 'otherAuthority');
  for (const [field, one] of [['certificate', certificate] as const, ['authority', authority] as const])
    if (endOf(one) <= databaseNow()) throw refusal(field, 'expired');
  return {
    credentials: {
      passTypeIdentifier,
      teamIdentifier,
      certificate: certificate.toString(),
      privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      authority: authority.toString(),
    },
    expiresAt: new Date(Math.min(endOf(certificate).getTime(), endOf(authority).getTime())),
  };
}

/** @returns undefined when the text has no certificate with an RSA key */
function certificateOf(text: string): X509Certificate | undefined {
  const pem = pemBlock(text, 'CERTIFICATE');
  if (pem === undefined) return undefined;
  try {
    const certificate = new X509Certificate(pem);
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? Infinity) <= 4096 ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function endOf({ validTo }: X509Certificate): Date {
  return new Date(validTo);
}

/** The names in the subject of a certificate, such as `UID`, `OU`. */
function subjectOf({ subject }: X509Certificate): Readonly<Record<string, string>> {
  const lines = subject.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return Object.fromEntries(lines);
}

function refusal(field: keyof TypedApple, reason: keyof typeof walletRefusals): RefusedInput {
  return new RefusedInput(field, walletRefusals[reason]);
}
