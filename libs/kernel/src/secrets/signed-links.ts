import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SERVER_SECRET } from './secret-box.js';

/**
 * Marks that let whoever got a link do what it is for, without a row that remembers them: the same thing has the same mark always.
 * HMAC-SHA-256 with a key of its own, cut to 160 bits, in base64url.
 */
@Injectable()
export class SignedLinks {
  private readonly key: Buffer;

  constructor(@Inject(SERVER_SECRET) serverSecret: string) {
    this.key = Buffer.from(hkdfSync('sha256', serverSecret, 'guichet', 'signed-links', 32));
  }

  /** @param what everything the link is good for and for whom: `reservation:<tenant>:<id>` */
  markOf(what: string): string {
    return createHmac('sha256', this.key).update(what).digest().subarray(0, 20).toString('base64url');
  }

  isMarkOf(mark: string, what: string): boolean {
    const [given, right] = [Buffer.from(mark), Buffer.from(this.markOf(what))];
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
