import type { OrderedTickets } from '#selling';
import type { WholeReservation } from '#tickets';
import { beforeWhen, type ConfirmationWay, costsNothing, currency, type Language, moneyWords } from '#kernel';
import type { OfferedAccount } from '#payments';
import { Fault, FaultSummary, InputField, OptionalMark } from '#page-kit';
import type { VNode } from 'preact';
import { Closing, ContactFields, Fieldset } from './contact-fields.js';
import type { TypedContact } from './contact-form.dto.js';
import { orderWordsFor, type OrderWords } from '../frame/order.words.js';
import { FollowField } from '../following/follow-field.js';
import { OrderQuestions, ticketQuestions, type ShownQuestions } from './questions.js';

type Ticket = WholeReservation['tickets'][number];

/** More tickets get no field for each name. */
const mostNames = 20;

/** An order whose contact form is shown. */
export interface OrderToComplete extends Pick<OrderedTickets, 'questions' | 'canPayOnline' | 'payAtVenueUntil'> {
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

/** The form with which a buyer completes an order. Works without scripts. */
export function ContactForm(shown: ShownContact): VNode {
  const { order, path, language, typed, faults, hasTerms, hasPrivacy, canFollow, canChange = false, summary, more } = shown;
  const { tickets, amount, questions } = order;
  const words = orderWordsFor(language, tickets);
  const asked: ShownQuestions = { questions, tickets, typed, faults, words };
  const isFree = costsNothing(amount);
  const send = isFree ? words.send : <PayWords shown={shown} words={words} />;
  return (
    <>
      <FaultSummary title={words.faults} faults={faults} />
      <form class={summary ? 'order columns' : 'order sheet'} method="post" action={path} novalidate>
        {order.shownIds.map((id) => (
          <input type="hidden" name="ticket" value={id} />
        ))}
        <div class="columns-main sheet">
          <ContactFields typed={typed} faults={faults} words={words} emailHint={emailHint(shown)}>
            {awaitsConfirmation(shown) && <SignIn label={awaitsMember(shown) ? words.signInTab : words.signInOwn} />}
          </ContactFields>
          <OrderQuestions shown={asked} />
          <TicketFields asked={asked} language={language} />
          {!isFree && <Payment shown={shown} />}
          {more}
          {canFollow && <FollowField typed={typed} />}
        </div>
        {summary && <aside class="columns-side">{summary}</aside>}
        <Closing typed={typed} faults={faults} language={language} hasTerms={hasTerms} hasPrivacy={hasPrivacy} send={send}>
          {canChange && (
            <p>
              <button class="button other" name="change" value="1">
                {words.change}
              </button>
            </p>
          )}
        </Closing>
      </form>
    </>
  );
}

/** What the button does: pays, or reserves to pay at the venue. The style shows the one that belongs to the chosen way. */
function PayWords({ shown, words }: { readonly shown: ShownContact; readonly words: OrderWords }): VNode {
  const { order, language } = shown;
  const now = words.pay(moneyWords(order.rest ?? order.amount, currency, language));
  const atVenue = words.reserve(moneyWords(order.amount, currency, language));
  if (order.payAtVenueUntil === undefined) return <>{now}</>;
  if (!order.canPayOnline) return <>{atVenue}</>;
  return (
    <>
      <span class="pay-now">{now}</span>
      <span class="pay-later">{atVenue}</span>
    </>
  );
}

/** Whether a ticket has a price for members that must be those of the buyer's address. */
function isForMembers({ tickets }: Pick<OrderToComplete, 'tickets'>): boolean {
  return tickets.some(({ price }) => price.requiredMembershipId !== null);
}

/** Whether a mail asks the member to confirm the order, when the address stays as it is proposed. */
function awaitsMember({ order, signedIn }: ShownContact): boolean {
  return isForMembers(order) && !signedIn && !order.offeredTo;
}

/** Whether a mail asks the owner of the address to confirm the order, unless it is paid online. */
function awaitsConfirmation(shown: ShownContact): boolean {
  const { order, signedIn, confirmation, canConfirm } = shown;
  if (awaitsMember(shown)) return true;
  if (signedIn || order.offeredTo || !canConfirm) return false;
  return costsNothing(order.amount) ? confirmation !== 'none' : order.payAtVenueUntil !== undefined;
}

/** In another tab, so that what was typed stays. */
function SignIn({ label }: { readonly label: string }): VNode {
  return (
    <p>
      <a href="/account" target="_blank" rel="noopener nofollow">
        {label}
      </a>
    </p>
  );
}

function emailHint(shown: ShownContact): string {
  const { order, language, signedIn, isMailed } = shown;
  const words = orderWordsFor(language, order.tickets);
  if (!isMailed) return words.emailKept;
  if (order.offeredTo) return isForMembers(order) ? words.offeredHint : words.emailHint;
  if (signedIn) return words.signedIn;
  if (awaitsMember(shown)) return words.membershipHint;
  if (!awaitsConfirmation(shown) || !costsNothing(order.amount)) return words.emailHint;
  return `${words.emailHint} ${shown.confirmation === 'code' ? words.codeHint : words.confirmHint}`;
}

/** Names of each ticket, and questions of each ticket and item. Nobody is asked for a name on goods. */
function TicketFields({ asked, language }: { readonly asked: ShownQuestions; readonly language: Language }): VNode | null {
  const { tickets, typed, faults, words } = asked;
  const hasNames = tickets.length <= mostNames && tickets.filter(({ admission }) => admission).length > 1;
  const blocks = tickets.map((_, index) => <TicketBlock asked={asked} index={index} hasNames={hasNames} language={language} />);
  if (tickets.some((ticket) => ticketQuestions(asked, ticket).length > 0)) return <>{blocks}</>;
  if (!hasNames) return null;
  const isTyped = [...typed('holder_first'), ...typed('holder_last')].some((value) => value !== '');
  const isWrong = [...faults.keys()].some((id) => id.startsWith('holder_'));
  return (
    <details class="names" open={isTyped || isWrong}>
      <summary>
        {words.names}
        <OptionalMark />
      </summary>
      <p class="hint">{words.namesHint}</p>
      {blocks}
    </details>
  );
}

interface TicketProps {
  readonly asked: ShownQuestions;
  /** Position of the ticket. */
  readonly index: number;
  /** Whether the names on tickets are asked. */
  readonly hasNames: boolean;
  readonly language: Language;
}

/** What is asked for one ticket or item. */
function TicketBlock({ asked, index, hasNames, language }: TicketProps): VNode | null {
  const ticket = asked.tickets[index] as Ticket;
  const questions = ticketQuestions(asked, ticket);
  const isNamed = hasNames && ticket.admission;
  return (
    <>
      {(isNamed || questions.length > 0) && (
        <Fieldset legend={legendOf(asked.tickets, index, language)}>
          {isNamed && <HolderFields asked={asked} index={index} />}
          {questions}
        </Fieldset>
      )}
      {/* The names are sent in the order of the tickets. */}
      {hasNames && !ticket.admission && (
        <>
          <input type="hidden" name="holder_first" value="" />
          <input type="hidden" name="holder_last" value="" />
        </>
      )}
    </>
  );
}

function legendOf(tickets: readonly Ticket[], index: number, language: Language): string {
  const ticket = tickets[index] as Ticket;
  const { product, name } = ticket.price;
  const what = ticket.admission ? name : [...new Set([product.name, name])].join(' · ');
  const number = tickets.slice(0, index + 1).filter(({ admission }) => admission === ticket.admission).length;
  return orderWordsFor(language, [ticket]).ticket(number, what);
}

/** The name on a ticket. */
function HolderFields({ asked, index }: Pick<TicketProps, 'asked' | 'index'>): VNode {
  const { typed, faults, words } = asked;
  const field = (kind: 'first' | 'last', label: string): VNode => {
    const [name, id] = [`holder_${kind}`, `holder_${kind}-${index}`];
    return (
      <InputField
        field={{ name: id, label, optional: true, fault: faults.get(id) }}
        attributes={{ name, value: typed(name)[index] ?? '', maxlength: 100, autocomplete: 'off' }}
      />
    );
  };
  return (
    <div class="pair">
      {field('first', words.firstName)}
      {field('last', words.lastName)}
    </div>
  );
}

interface Way {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

/** How the order is paid: a choice, or a sentence when there is only one way. */
function Payment({ shown }: { readonly shown: ShownContact }): VNode {
  const { order, typed, faults, language, timeZone } = shown;
  const words = orderWordsFor(language, order.tickets);
  const { canPayOnline, payAtVenueUntil } = order;
  const first = shown.isMailed && awaitsConfirmation(shown) ? ` ${words.confirmFirst}` : '';
  const before = payAtVenueUntil && beforeWhen(payAtVenueUntil, language, timeZone);
  const ways: Way[] = [
    ...(canPayOnline ? onlineWays(shown, words) : []),
    ...(before === undefined ? [] : [{ value: 'venue', label: words.venue, hint: words.venueHint(before) + first }]),
  ];
  const fault = <Fault name="payment" fault={faults.get('payment')} />;
  if (ways.length < 2) {
    const later = awaitsMember(shown) ? words.afterMail : words.onlyOnline;
    return (
      <div id="payment" tabindex={-1}>
        {fault}
        <p>{before === undefined ? later : words.onlyVenue(before) + first}</p>
        {ways.map(({ value, hint }) => value !== 'venue' && hint !== '' && <p class="hint">{hint}</p>)}
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

function PaymentWay({ way: { value, label, hint }, isChosen }: { readonly way: Way; readonly isChosen: boolean }): VNode {
  const id = `payment-${value}`;
  return (
    <div class="choice">
      <input type="radio" id={id} name="payment" value={value} checked={isChosen} />
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
