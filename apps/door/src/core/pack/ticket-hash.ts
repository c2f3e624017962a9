import type { Bytes } from '../codes/bytes.js';

/** Computes the keyed hashes by which the list of an event names its tickets. */
export class TicketHasher {
  private readonly key: Promise<CryptoKey>;

  /** @param salt of the pack */
  constructor(salt: Bytes) {
    this.key = crypto.subtle.importKey('raw', salt, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  }

  /** @param id the 16 bytes of the ticket's UUID @returns the first 8 bytes of its HMAC */
  async hashOf(id: Bytes): Promise<bigint> {
    const mac = await crypto.subtle.sign('HMAC', await this.key, id);
    return new DataView(mac).getBigUint64(0);
  }
}

/** A hash as text, for stored entries. */
export const hashText = (hash: bigint): string => hash.toString(16).padStart(16, '0');
