import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SERVER_SECRET } from '#kernel';

/** Number of days after a sign-in for which a browser is known. */
export const knownBrowserDays = 180;

/**
 * Signs the cookie of browsers in which a person has signed in before: a random id, signed for the person's e-mail address. The cookie
 * gives no access. Failed attempts of a known browser are counted separately, so that strangers cannot lock the person out of it.
 */
@Injectable()
export class KnownBrowsers {
  private readonly key: Buffer;

  constructor(@Inject(SERVER_SECRET) serverSecret: string) {
    this.key = createHmac('sha256', serverSecret).update('known browser').digest();
  }

  /** @returns the value of the cookie */
  mark(email: string): string {
    const id = randomBytes(16).toString('base64url');
    return `${id}.${this.sign(id, email).toString('base64url')}`;
  }

  /** @returns the browser's id; undefined when the cookie was not signed for this person */
  idOf(mark: string | undefined, email: string): string | undefined {
    const [, id, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(mark ?? '') ?? [];
    if (id === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const expected = this.sign(id, email);
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
  }

  private sign(id: string, email: string): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([id, email]))
      .digest();
  }
}
