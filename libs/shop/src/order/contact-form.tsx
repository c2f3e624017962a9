import type { WholeReservation } from '#tickets';
import { costsNothing, type Language } from '#kernel';
import { isForMembers } from '#selling';
import { FaultSummary, InputField, OptionalMark } from '#page-kit';
import type { VNode } from 'preact';
import { Closing, ContactFields, Fieldset } from './contact-fields.js';
import { orderWordsFor } from '../frame/order.words.js';
import { FollowField } from '../following/follow-field.js';
import { OrderQuestions, ticketQuestions, type ShownQuestions } from './questions.js';
import { awaitsConfirmation, awaitsMember, Payment, PayWords, type ShownContact } from './payment-choice.js';

type Ticket = WholeReservation['tickets'][number];

/** More tickets get no field for each name. */
const mostNames = 20;

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
  if (!isMailed) return awaitsMember(shown) && !shown.canConfirm ? words.kept : words.emailKept;
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
