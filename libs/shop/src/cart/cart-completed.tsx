import type { WholeMembership } from '#memberships';
import type { CartContents, OnlineOnly } from '#selling';
import type { WholeReservation } from '#tickets';
import { currency, currentLanguage, databaseNow, moneyWords } from '#kernel';
import { isPaying, LookAgain, pageWords, type Venue } from '#page-kit';
import type { VNode } from 'preact';
import { orderWords, orderWordsFor } from '../frame/order.words.js';
import { Inbox, type SentMail } from '../inbox/inbox.js';
import { Step } from '../frame/step.js';
import { Sold } from './own-section.js';
import { Bought } from './cart-memberships.js';
import { dueOf, heldUntil, ticketsIn, wholeSum } from './cart-order.js';
import { Payment } from './cart-payment.js';
import { PartState, Parts } from './cart.js';
import { cartWords } from './cart.words.js';

/** The page of a completed cart whose link has ended. */
export function EndedCart(): VNode {
  const language = currentLanguage();
  return (
    <>
      <p>{orderWords[language].endedText}</p>
      <p>
        <a class="button" href="/account">
          {pageWords[language].account}
        </a>
      </p>
    </>
  );
}

interface CartInboxProps extends Omit<CompletedCartProps, 'step'> {
  /** The parts that await the confirmation of their address. */
  readonly awaiting: readonly WholeReservation[];
  readonly mail: SentMail;
  /** Path of the link of a part's mail, where the page may show it. */
  readonly mailLinkOf: (part: WholeReservation) => string | undefined;
  readonly venue: Venue;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
}

/** A completed cart whose address is to be confirmed, with the state of what is not. */
export function CartInbox({ awaiting, mail, mailLinkOf, venue, isMailed, ...shown }: CartInboxProps): VNode {
  const { cart } = shown;
  const language = currentLanguage();
  const now = databaseNow();
  // Parts are held for different times: the page says that the time is over when that is true for all of them.
  const held = awaiting.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
  const shownParts = held.length > 0 ? held : awaiting;
  const words = orderWordsFor(language, ticketsIn(shownParts));
  const [first] = shownParts;
  const isPaidOnline = awaiting.some(({ payUntil, payAtVenue }) => payUntil !== null && !payAtVenue);
  const after = isPaidOnline ? [words.sentOnline(moneyWords(wholeSum(cart), currency, language))] : [];
  const isAll = shownParts.length === cart.parts.length && cart.memberships.length + cart.own.length === 0;
  return (
    <Inbox
      parts={shownParts}
      heldUntil={heldUntil(shownParts)}
      words={words}
      text={cartWords[language].mails(first?.email ?? '')}
      after={after}
      mail={mail}
      venue={venue}
      isMailed={isMailed}
      mailLink={first && mailLinkOf(first)}
    >
      {!isAll && (
        <div>
          <CartStates {...shown} />
        </div>
      )}
    </Inbox>
  );
}

interface CompletedCartProps {
  readonly cart: CartContents;
  /** What comes next. */
  readonly step: VNode;
  /** Paths of the holders' pages; undefined: not to be shown yet. */
  readonly linkOf: (part: WholeReservation) => string | undefined;
  readonly cardOf: (membership: WholeMembership) => string | undefined;
  /** Path of the donation, when it has a tax receipt or can have one. */
  readonly donationPath: string | undefined;
}

/** A completed cart: what comes next, and the state of each part. */
export function CompletedCart({ step, ...shown }: CompletedCartProps): VNode {
  return (
    <>
      {step}
      <CartStates {...shown} />
    </>
  );
}

function CartStates({ cart, linkOf, cardOf, donationPath }: Omit<CompletedCartProps, 'step'>): VNode {
  const { parts, memberships, own } = cart;
  const actions = (part: WholeReservation): VNode => <PartState part={part} transferBy={cart.transferBy} link={linkOf(part)} />;
  const others = [
    ...memberships.map((one) => <Bought membership={one} transferBy={cart.transferBy} link={cardOf(one)} />),
    ...own.map((line) => <Sold line={line} transferBy={cart.transferBy} path={line.kind === 'donation' ? donationPath : undefined} />),
  ];
  return <Parts parts={parts} actions={actions} others={others} amount={wholeSum(cart)} />;
}

interface NextStep {
  /** What comes next. */
  readonly step: VNode;
  /** Path of the next look for a payment. */
  readonly again?: string;
}

interface Progress {
  /** Of the cart. */
  readonly path: string;
  /** Which look for a payment this is; 0: none. */
  readonly look: number;
  /** Why the last attempt failed. */
  readonly fault: string | undefined;
  /** Whether holders' pages are not shown. */
  readonly isHidden: boolean;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** What keeps the order from being paid at the venue; undefined: that is not offered. */
  readonly onlineOnly: readonly OnlineOnly[] | undefined;
}

/** What comes next for a completed cart. */
export function nextStep(cart: CartContents, { path, look, fault, isHidden, isMailed, onlineOnly }: Progress): NextStep {
  const { parts, memberships } = cart;
  const all = [...parts, ...memberships];
  const language = currentLanguage();
  const [words, order] = [cartWords[language], orderWords[language]];
  const say = (title: string, ...lines: string[]): NextStep => ({ step: <Step title={title} lines={lines} /> });
  if (all.some(({ payments }) => payments.some(({ status }) => status === 'processing'))) return say(order.payTitle, order.processing);
  const now = databaseNow();
  const isStopped =
    memberships.some(({ status }) => status === 'cancelled') && parts.some(({ status }) => status === 'R' || status === 'U');
  if (isStopped) return say(words.stopped);
  const open = all.filter(isPaying);
  const waiting = open.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
  if (open.length > 0 && look >= 1) {
    const again = `${path}?paid=${look + 1}`;
    return { step: <LookAgain path={again} text={words.paying} />, again };
  }
  const due = waiting.length > 0 ? waiting : dueOf(cart);
  if (due.length > 0) return { step: <Payment cart={cart} due={due} path={path} fault={fault} onlineOnly={onlineOnly} /> };
  if (all.every(({ status }) => status === 'C' || status === 'cancelled')) return say(words.allCancelled);
  return { step: <Step isGood title={words.done} lines={isHidden ? [isMailed ? order.inMail : order.keptBooked] : []} /> };
}
