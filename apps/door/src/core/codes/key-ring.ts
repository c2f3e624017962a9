import { verifyAsync } from '@noble/ed25519';
import { fromBase64url, utf8, type Bytes } from './bytes.js';
import type { TicketCode } from './parse-code.js';

/** A public key of the tenant (RFC 8037). */
export interface PublicJwk {
  readonly kid: string;
  readonly x: string;
}

export type Genuineness = 'genuine' | 'forged' | 'unknown_key';

/** Public keys of the tenant, which sign tickets and packs. */
export class KeyRing {
  private readonly jwks = new Map<string, PublicJwk>();
  private readonly raw = new Map<string, Bytes>();
  private readonly imported = new Map<string, Promise<CryptoKey | null>>();

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
      this.imported.delete(kid);
    }
  }

  has(kid: string): boolean {
    return this.raw.has(kid);
  }

  /** Verifies an Ed25519 signature. Never throws: what cannot be verified is `forged`. */
  async verify(kid: string, signature: Bytes, signed: Bytes): Promise<Genuineness> {
    const raw = this.raw.get(kid);
    if (!raw) return 'unknown_key';
    try {
      const key = await this.keyOf(kid, raw);
      const genuine = key
        ? await crypto.subtle.verify('Ed25519', key, signature, signed)
        : await verifyAsync(signature, signed, raw, { zip215: false });
      return genuine ? 'genuine' : 'forged';
    } catch {
      return 'forged';
    }
  }

  verifyCode(code: TicketCode): Promise<Genuineness> {
    return this.verify(code.kid, code.signature, utf8(code.signedText));
  }

  /** null: WebCrypto of this browser lacks Ed25519 (Chrome before 137, Firefox before 129). */
  private keyOf(kid: string, raw: Bytes): Promise<CryptoKey | null> {
    let key = this.imported.get(kid);
    if (!key) {
      key = crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']).catch(() => null);
      this.imported.set(kid, key);
    }
    return key;
  }
}
