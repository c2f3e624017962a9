import { hasAddress, RefusedInput, refuseUnfitText, type TextLimits } from '#kernel';
import { texts } from '../locales/tickets.texts.js';

/** Maximum lengths of names on reservations, tickets and memberships. */
export const holderTexts = { firstName: 100, lastName: 100 } as const satisfies TextLimits;

export interface HolderName {
  readonly firstName: string;
  readonly lastName: string;
}

/** A person with a name and an address, one of which may be empty. */
interface NamedPerson extends HolderName {
  readonly email: string;
}

/** The name of the person who holds a ticket; the address where no name is known. @param buyer of its reservation */
export function nameOfHolder(ticket: HolderName & { readonly holderEmail: string | null }, buyer: NamedPerson): string {
  const nameOf = ({ firstName, lastName }: HolderName): string => `${firstName} ${lastName}`.trim();
  if (ticket.holderEmail !== null) return nameOf(ticket) || ticket.holderEmail;
  return nameOf(buyer) || nameOf(ticket) || buyer.email;
}

/**
 * Searches find names by their plain letters. One character may stand for 18 of these (U+FDFA), others for three, and a row has no more
 * than a page.
 */
const mostSpelledOut = 3;

/** Maximum length of a note from the venue to a holder. */
export const longestNote = 2000;

/**
 * Checks the name of a person, which mails, tickets and screens at the door show.
 * @param at before the names of the fields
 * @throws RefusedInput on `firstName`, `lastName`: too long, control characters, or an address of the web or of a mailbox in it
 */
export function refuseUnfitName(name: { readonly firstName?: string | undefined; readonly lastName?: string | undefined }, at = ''): void {
  for (const field of ['firstName', 'lastName'] as const) {
    const text = name[field] ?? '';
    refuseUnfitText(`${at}${field}`, text, holderTexts[field]);
    refuseUnfitText(`${at}${field}`, text.normalize('NFKD'), mostSpelledOut * holderTexts[field]);
    if (hasAddress(text)) throw new RefusedInput(`${at}${field}`, addressInName);
  }
}

const addressInName = texts.localized('names.address');
