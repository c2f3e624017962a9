import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
import type { OwnTexts } from '../layout/own-texts.js';

/** Data of the mail that announces a charge. `url` is the page that stops it. */
export interface RenewalFacts extends MembershipNoticeFacts {
  readonly dueAt: Date;
  /** Decimal text, in euros. */
  readonly amount: `${number}`;
}

/** Data of the mail about a charge that was refused. `url` is the page to renew. */
export interface RenewalFailedFacts extends MembershipNoticeFacts {
  /** Time of the next attempt; undefined: it was the last one. */
  readonly againAt: Date | undefined;
}

/** Data of the mails about a membership that need something from the member. */
export interface MembershipNoticeFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** Texts of the venue in the language of the mail. */
  readonly own?: OwnTexts;
  readonly email: string;
  /** See `BookingMailFacts`. */
  readonly isConfirmed?: boolean;
  readonly firstName: string;
  readonly lastName: string;
  /** Name of product and price. */
  readonly name: string;
  /** Its end; null: none. */
  readonly validUntil: Date | null;
  /** Minutes during which the link to confirm works. */
  readonly minutes: number;
  /** Page to confirm, or to renew. */
  readonly url: string;
}
