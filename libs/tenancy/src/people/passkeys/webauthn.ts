import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';

/** The site that a browser shows: its host without a port, and its origin. */
export interface PasskeySite {
  readonly host: string;
  /** Scheme, host and port, as the browser names it. */
  readonly origin: string;
}

/** Signatures that are accepted: EdDSA, ES256, RS256. */
export const algorithms = [-8, -7, -257];

/** Longest answer of a browser, and longest parts that are stored. */
const most = { answer: 16_000, id: 1400, key: 2000 } as const;

interface Answer {
  readonly answer: string;
  readonly challenge: string;
  readonly site: PasskeySite;
}

/** A checked answer with a new passkey. */
export interface NewCredential {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: string[];
}

/** The id of the passkey that an answer names; undefined: it names none. */
export function credentialIdIn(answer: string): string | undefined {
  const { id }: { id?: unknown } = parsed(answer) ?? {};
  return typeof id === 'string' && id.length <= most.id && /^[\w-]+$/.test(id) ? id : undefined;
}

/**
 * Checks the answer of a browser that made a passkey.
 * @returns undefined when it is refused, for whatever reason
 */
export async function checkNew({ answer, challenge, site }: Answer): Promise<NewCredential | undefined> {
  const response = parsed(answer) as RegistrationResponseJSON | undefined;
  if (!response) return undefined;
  try {
    // Certificates are not asked for. The library would fetch the lists that they name.
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
    if (!['none', 'packed'].includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c')) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    if (id.length > most.id || publicKey.length > most.key) return undefined;
    const transports: unknown = response.response.transports;
    return { id, publicKey, counter, transports: Array.isArray(transports) ? transports.filter(isTransport).slice(0, 6) : [] };
  } catch {
    return undefined;
  }
}

/**
 * Checks the answer of a browser that used a passkey.
 * @returns the counter of the passkey; undefined when it is refused, for whatever reason
 */
export async function checkUse(
  asked: Answer & { readonly userId: string; readonly credential: WebAuthnCredential },
): Promise<number | undefined> {
  const { answer, challenge, site, credential, userId } = asked;
  const response = parsed(answer) as AuthenticationResponseJSON | undefined;
  if (!response) return undefined;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential,
      requireUserVerification: true,
    });
    const { userHandle } = response.response;
    if (!verified || (userHandle && userHandle !== handleOf(userId))) return undefined;
    return authenticationInfo.newCounter;
  } catch {
    return undefined;
  }
}

/** The user as passkeys store it. */
export const handleOf = (userId: string): string => isoBase64URL.fromUTF8String(userId);

const isTransport = (value: unknown): value is string => typeof value === 'string' && /^[a-z-]{2,20}$/.test(value);

function parsed(answer: string): object | undefined {
  if (answer.length > most.answer) return undefined;
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
