import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
import type { OwnTexts } from '../layout/own-texts.js';

/** Data of the mail with the link to a person's account. */
export interface AccountMailFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** The signature of the venue in the language of the mail. */
  readonly own?: OwnTexts;
  readonly email: string;
  /** Minutes during which the link works. */
  readonly minutes: number;
  readonly url: string;
}
