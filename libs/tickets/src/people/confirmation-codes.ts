import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';

/** What a code belongs to: the order of a reservation, and the address and version of the links in its mail. */
export interface CodeSubject {
  readonly id: string;
  readonly cartId: string | null;
  readonly email: string;
  readonly linkVersion: number;
}

/**
 * The six digits in the mail that asks to confirm an order. All parts of a cart have the same; another address has another one. They are
 * derived with the server secret like the links, so that none is stored.
 */
@Injectable()
export class ConfirmationCodes {
  constructor(private readonly links: SignedLinks) {}

  codeOf({ id, cartId, email, linkVersion }: CodeSubject): string {
    const mark = this.links.markOf(`confirmation code:${currentTenant().id}:${cartId ?? id}:${linkVersion}:${email}`);
    // 48 bits: the first codes are more likely than the others by less than a hundred-millionth.
    return String(createHash('sha256').update(mark).digest().readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
  }

  /** Whether a code is that of the mail. Compares in constant time. */
  isCodeOf(given: string, subject: CodeSubject): boolean {
    const [typed, right] = [Buffer.from(given), Buffer.from(this.codeOf(subject))];
    return typed.length === right.length && timingSafeEqual(typed, right);
  }
}
