import type { Language } from '#kernel';
import { Dotted } from '#http';
import { signInPath } from '#page-kit';
import type { VNode } from 'preact';
import type { PublicPrice } from '../public-events/public-events.service.js';
import type { BookingOffer } from './booking-offer.js';
import { bookingWords } from './booking.words.js';

interface MemberNoteProps {
  readonly price: PublicPrice;
  /** Of the membership. */
  readonly name: string;
  /** The price can be chosen now. */
  readonly isOpen: boolean;
  readonly offer: Pick<BookingOffer, 'page' | 'visitor'>;
  readonly language: Language;
}

/** Whom a price for members is for, and how one becomes a member or signs in. */
export function MemberNote({ price: { membershipId }, name, isOpen, offer: { page, visitor }, language }: MemberNoteProps): VNode {
  const words = bookingWords[language];
  if (!isOpen)
    return (
      <small>
        {words.forMembers(name)} <JoinLink language={language} />
      </small>
    );
  if (membershipId !== null && visitor?.memberships.has(membershipId)) return <small>{words.yourPrice(name)}</small>;
  return <JoiningNote name={name} page={visitor ? undefined : page} language={language} />;
}

interface JoiningNoteProps {
  /** Of the membership. */
  readonly name: string;
  /** To return to; undefined: somebody is signed in. */
  readonly page: string | undefined;
  readonly language: Language;
}

/** Whom a price is for, and the ways to become a member and to sign in. */
export function JoiningNote({ name, page, language }: JoiningNoteProps): VNode {
  const words = bookingWords[language];
  const ways = [<JoinLink language={language} />];
  // The account is no page for frames on other sites: there it opens in the whole window.
  if (page !== undefined)
    ways.push(
      <a href={signInPath(page)} rel="nofollow" target="_top">
        {words.signIn}
      </a>,
    );
  return (
    <small>
      {words.membersOnly(name)} <Dotted facts={ways} />
    </small>
  );
}

function JoinLink({ language }: { readonly language: Language }): VNode {
  return <a href="/memberships">{bookingWords[language].joinFirst}</a>;
}
