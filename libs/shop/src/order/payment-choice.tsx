import { isForMembers, type OrderedTickets } from '#selling';
import type { WholeReservation } from '#tickets';
import { beforeWhen, type ConfirmationWay, costsNothing, currency, type Language, moneyWords } from '#kernel';
import { transferDay } from '#messages';
import { Fault } from '#page-kit';
import type { OfferedAccount } from '#payments';
import type { VNode } from 'preact';
import { orderWordsFor, type OrderWords } from '../frame/order.words.js';
import type { TypedContact } from './contact-form.dto.js';

/** An order whose contact form is shown. */
export interface OrderToComplete extends Pick<OrderedTickets, 'questions' | 'canPayOnline' | 'payAtVenueUntil' | 'transfer'> {
  readonly tickets: WholeReservation['tickets'];
  /** The sum of everything, decimal text. */
  readonly amount: string;
  /** Without what gift cards pay, decimal text; absent: nothing. */
  readonly rest?: string;
  /** What the form sends as what it showed: the ids of the tickets first. */
  readonly shownIds: readonly string[];
  /** The address that the places were offered to; empty or absent: they were not. */
  readonly offeredTo?: string;
}

/** What the contact form shows. */
export interface ShownContact {
  readonly order: OrderToComplete;
  readonly path: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly hasTerms: boolean;
  readonly hasPrivacy: boolean;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** Whether addresses can be confirmed. */
  readonly canConfirm: boolean;
  /** How the venue has an unknown address confirmed. */
  readonly confirmation: ConfirmationWay;
  /** The buyer may follow the venue. */
  readonly canFollow: boolean;
  /** Accounts for online payments; the buyer chooses when there are several. */
  readonly accounts: readonly OfferedAccount[];
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
  /** What is ordered, for a place beside the fields on a desk, and above the button on a phone. */
  readonly summary?: VNode;
  /** The buyer may go back to the choice of tickets. What was typed is sent, too. */
  readonly canChange?: boolean;
  /** What is asked besides. */
  readonly more?: VNode;
}

/** Whether a mail asks the member to confirm the order, when the address stays as it is proposed. */
export function awaitsMember({ order, signedIn }: ShownContact): boolean {
  return isForMembers(order) && !signedIn && !order.offeredTo;
}

/** Whether a mail asks the owner of the address to confirm the order, unless it is paid online. */
export function awaitsConfirmation(shown: ShownContact): boolean {
  const { order, signedIn, confirmation, canConfirm } = shown;
  if (awaitsMember(shown)) return true;
  if (signedIn || order.offeredTo || !canConfirm) return false;
  return costsNothing(order.amount) ? confirmation !== 'none' : order.payAtVenueUntil !== undefined || order.transfer !== undefined;
}

/** What the button does: pays, or reserves to pay later. The style shows the one that belongs to the chosen way. */
export function PayWords({ shown, words }: { readonly shown: ShownContact; readonly words: OrderWords }): VNode {
  const { order, language } = shown;
  const now = words.pay(moneyWords(order.rest ?? order.amount, currency, language));
  const later = laterWords(order, words, moneyWords(order.amount, currency, language));
  if (later === undefined) return <>{now}</>;
  if (!order.canPayOnline) return <>{later}</>;
  return (
    <>
      <span class="pay-now">{now}</span>
      <span class="pay-later">{later}</span>
    </>
  );
}

/** What reserves without a payment now; undefined: nothing does. */
function laterWords({ payAtVenueUntil, transfer }: OrderToComplete, words: OrderWords, price: string): string | undefined {
  if (payAtVenueUntil === undefined) return transfer && words.reserveTransfer(price);
  return transfer ? words.reserveLater(price) : words.reserve(price);
}

interface Way {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  /** Nothing is paid now. */
  readonly isLater?: boolean;
}

/** How the order is paid: a choice, or a sentence when there is only one way. */
export function Payment({ shown }: { readonly shown: ShownContact }): VNode {
  const { order, typed, faults, language, timeZone } = shown;
  const words = orderWordsFor(language, order.tickets);
  const { canPayOnline, payAtVenueUntil, transfer } = order;
  const first = shown.isMailed && awaitsConfirmation(shown) ? ` ${words.confirmFirst}` : '';
  const day = transfer && transferDay(transfer.dueOn, language);
  const before = payAtVenueUntil && beforeWhen(payAtVenueUntil, language, timeZone);
  const ways: Way[] = [
    ...(canPayOnline ? onlineWays(shown, words) : []),
    ...(before === undefined ? [] : [{ value: 'venue', label: words.venue, hint: words.venueHint(before) + first, isLater: true }]),
    ...(day === undefined ? [] : [{ value: 'transfer', label: words.transfer, hint: words.transferHint(day) + first, isLater: true }]),
  ];
  const fault = <Fault name="payment" fault={faults.get('payment')} />;
  if (ways.length < 2) {
    const later = awaitsMember(shown) ? words.afterMail : words.onlyOnline;
    return (
      <div id="payment" tabindex={-1}>
        {fault}
        <p>{day === undefined ? (before === undefined ? later : words.onlyVenue(before) + first) : words.onlyTransfer(day) + first}</p>
        {ways.map(({ hint, isLater }) => !isLater && hint !== '' && <p class="hint">{hint}</p>)}
        {day !== undefined && <input type="hidden" name="payment" value="transfer" />}
      </div>
    );
  }
  const [given] = typed('payment');
  const chosen = ways.some(({ value }) => value === given) ? given : ways[0]?.value;
  return (
    <fieldset id="payment" tabindex={-1} class="kinds">
      <legend class="display">{words.payment}</legend>
      {fault}
      {ways.map((way) => (
        <PaymentWay way={way} isChosen={way.value === chosen} />
      ))}
    </fieldset>
  );
}

function PaymentWay({ way: { value, label, hint, isLater = false }, isChosen }: { readonly way: Way; readonly isChosen: boolean }): VNode {
  const id = `payment-${value}`;
  return (
    <div class="choice">
      <input type="radio" id={id} name="payment" value={value} checked={isChosen} class={isLater ? 'later' : undefined} />
      <label for={id}>
        <strong>{label}</strong>
        {hint !== '' && (
          <>
            {' '}
            <span>{hint}</span>
          </>
        )}
      </label>
    </div>
  );
}

/** The ways to pay online. Who pays later, after a mail, does not choose now. */
function onlineWays(shown: ShownContact, { online: label }: OrderWords): Way[] {
  const { language, accounts } = shown;
  if (accounts.length < 2 || awaitsMember(shown)) return [{ value: 'online', label, hint: accounts[0]?.methods[language] ?? '' }];
  return accounts.map((account) => {
    const hint = [account.label[language], account.methods[language]].filter(Boolean).join(': ');
    return { value: account.id, label, hint };
  });
}
