import { RefusedInput, type Language } from '#kernel';
import type { GivenAnswers } from '../answers/answer-rules.js';
import { emailFault } from './email-addresses.js';
import { refuseUnfitName, type HolderName } from './holder-names.js';
import { texts } from '../locales/tickets.texts.js';

/** How a buyer on the public pages pays: at once online, at the venue, or by bank transfer. */
export const paymentWays = ['online', 'venue', 'transfer'] as const;
export type PaymentWay = (typeof paymentWays)[number];

/** What a buyer writes in the contact form of a draft. */
export interface DraftContact {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Language of the mails. */
  readonly language: Language;
  /** The tickets that the form showed, in their order: another tab may have changed them since. */
  readonly ticketIds: readonly string[];
  /** By position of the ticket; missing and empty names become the buyer's. */
  readonly holders: readonly (HolderName | undefined)[];
  /** To questions asked once. */
  readonly answers: GivenAnswers;
  /** To questions asked for each ticket, by position of the ticket. */
  readonly ticketAnswers: readonly (GivenAnswers | undefined)[];
  /** undefined: the venue has no terms. */
  readonly acceptsTerms: boolean | undefined;
  /** The address of the account in which the buyer is signed in. */
  readonly signedIn?: string | undefined;
  /** Absent for free tickets, and where only one way exists. */
  readonly payment?: PaymentWay | undefined;
  /** The account that an online payment goes to, where the buyer can choose one. */
  readonly accountId?: string | undefined;
}

/** The faults of a contact that need no database: on `email`, `firstName`, `lastName`, `holders.<i>.firstName` and so on, `terms`. */
export function contactFaults(contact: DraftContact): RefusedInput[] {
  const faults: RefusedInput[] = [];
  const fault = emailFault(contact.email);
  if (fault) faults.push(fault);
  faults.push(...nameFaults(contact, ''));
  for (const [index, holder] of contact.holders.entries()) if (holder) faults.push(...nameFaults(holder, `holders.${index}.`));
  if (contact.acceptsTerms === false) faults.push(new RefusedInput('terms', texts.localized('drafts.acceptTerms')));
  return faults;
}

function nameFaults(name: HolderName, at: string): RefusedInput[] {
  return (['firstName', 'lastName'] as const).flatMap((field) => {
    try {
      refuseUnfitName({ [field]: name[field] }, at);
      return [];
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      return [error];
    }
  });
}

/** Whether the person with this address is signed in: with exactly this one, because other spellings may be another mailbox. */
export function isSignedIn({ email, signedIn }: Pick<DraftContact, 'email' | 'signedIn'>): boolean {
  return isSameMailbox(email, signedIn);
}

/** Whether two addresses are the same but for upper and lower case. */
export function isSameMailbox(email: string, known: string | null | undefined): boolean {
  return known?.toLowerCase() === email.trim().toLowerCase();
}
