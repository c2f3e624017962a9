import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SERVER_SECRET } from './secret-box.js';

/**
 * Signatures for links that give access without a stored row: the same subject always has the same mark. HMAC-SHA-256 with its own key,
 * truncated to 160 bits, in base64url.
 */
@Injectable()
export class SignedLinks {
  private readonly key: Buffer;

  constructor(@Inject(SERVER_SECRET) serverSecret: string) {
    this.key = Buffer.from(hkdfSync('sha256', serverSecret, 'guichet', 'signed-links', 32));
  }

  /** @param what purpose and subject of the link: `reservation:<tenant>:<id>` */
  markOf(what: string): string {
    return createHmac('sha256', this.key).update(what).digest().subarray(0, 20).toString('base64url');
  }

  /** Whether a mark is valid for a subject. Compares in constant time. */
  isMarkOf(mark: string, what: string): boolean {
    const [given, right] = [Buffer.from(mark), Buffer.from(this.markOf(what))];
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
