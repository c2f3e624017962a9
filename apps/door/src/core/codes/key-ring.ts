import { fromBase64url, utf8, type Bytes } from './bytes.js';
import type { TicketCode } from './parse-code.js';

/** A public key of the tenant (RFC 8037). */
export interface PublicJwk {
  readonly kid: string;
  readonly x: string;
}

/** `unknown_key` also when the browser cannot verify yet. */
export type Genuineness = 'genuine' | 'forged' | 'unknown_key';

type Verifier = (signature: Bytes, signed: Bytes) => Promise<boolean>;

/** Public keys of the tenant, which sign tickets and packs. */
export class KeyRing {
  private readonly jwks = new Map<string, PublicJwk>();
  private readonly raw = new Map<string, Bytes>();
  private readonly verifiers = new Map<string, Promise<Verifier>>();

  constructor(keys: readonly PublicJwk[]) {
    this.add(keys);
  }

  get keys(): readonly PublicJwk[] {
    return [...this.jwks.values()];
  }

  /** Adds keys; a key that is no Ed25519 key is left out. */
  add(keys: readonly PublicJwk[]): void {
    for (const { kid, x } of keys) {
      const bytes = fromBase64url(x);
      if (bytes?.length !== 32 || this.jwks.get(kid)?.x === x) continue;
      this.jwks.set(kid, { kid, x });
      this.raw.set(kid, bytes);
      this.verifiers.delete(kid);
    }
  }

  has(kid: string): boolean {
    return this.raw.has(kid);
  }

  /** Verifies an Ed25519 signature. Never throws: what cannot be verified is `forged`. */
  async verify(kid: string, signature: Bytes, signed: Bytes): Promise<Genuineness> {
    const raw = this.raw.get(kid);
    const verifier = raw && (await this.verifierOf(kid, raw));
    if (!verifier) return 'unknown_key';
    try {
      return (await verifier(signature, signed)) ? 'genuine' : 'forged';
    } catch {
      return 'forged';
    }
  }

  verifyCode(code: TicketCode): Promise<Genuineness> {
    return this.verify(code.kid, code.signature, utf8(code.signedText));
  }

  /** @returns undefined: a browser without Ed25519 does not have the file that verifies in its place; it is tried again */
  private async verifierOf(kid: string, raw: Bytes): Promise<Verifier | undefined> {
    const known = this.verifiers.get(kid) ?? makeVerifier(raw);
    this.verifiers.set(kid, known);
    try {
      return await known;
    } catch {
      if (this.verifiers.get(kid) === known) this.verifiers.delete(kid);
      return undefined;
    }
  }
}

/** @throws TypeError when the file of the other way cannot be loaded */
async function makeVerifier(raw: Bytes): Promise<Verifier> {
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']).catch(() => null);
  if (key) return (signature, signed) => crypto.subtle.verify('Ed25519', key, signature, signed);
  // Chrome before 137 and Firefox before 129. A file of its own, which the service worker stored with the others.
  const { verifyAsync } = await import('@noble/ed25519');
  return (signature, signed) => verifyAsync(signature, signed, raw, { zip215: false });
}
