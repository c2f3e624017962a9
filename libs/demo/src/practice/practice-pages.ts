import { Injectable } from '@nestjs/common';
import { isObject, SecretBox, SecretBoxError } from '#kernel';
import { currentTenant } from '#tenancy';

/** What the address of a practice page holds, sealed. */
export interface PracticePage {
  /** The first payment of the checkout. */
  readonly paymentId: string;
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  /** What is paid. */
  readonly description: string;
  /** Pages of the venue, to which the buyer returns. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Addresses of practice pages. Only the program makes them, each for one tenant, so that they lead to no other site. */
@Injectable()
export class PracticePages {
  constructor(private readonly box: SecretBox) {}

  pathTo(page: PracticePage): string {
    return `/practice-payment/${this.box.seal(Buffer.from(JSON.stringify(page)), purpose()).toString('base64url')}`;
  }

  /** @returns undefined when it is not an address of the current tenant */
  read(sealed: string): PracticePage | undefined {
    try {
      const page: unknown = JSON.parse(this.box.open(Buffer.from(sealed, 'base64url'), purpose()).toString());
      return isObject(page) ? (page as unknown as PracticePage) : undefined;
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return undefined;
    }
  }
}

const purpose = (): string => `practice payment ${currentTenant().id}`;
