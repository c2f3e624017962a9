import type { WholeReservation } from '#tickets';
import { currentLanguage, maskedEmail } from '#kernel';
import { currentTenant } from '#tenancy';
import { FaultSummary, InputField, pageDocument, PassScript, WayBack, When } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { ticketWords, type OpenedTicket } from './held-ticket.js';
import { holderWords, holderWordsFor, type HolderWords } from './holder.words.js';
import { HeldEventHead, type HeldEvent } from '../parts/held-event.js';
import { CancelRow } from './cancel-row.js';
import { KeptPage, Reference, Step } from './page-parts.js';
import { ticketCard, type TicketCard } from './ticket-card.js';

/** The state of a form: what was typed, and its faults by field. */
export interface TypedForm {
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: ReadonlyMap<string, string>;
}

/** The form that changes the name on a ticket. */
export function renamePage(opened: OpenedTicket, { typed, faults }: TypedForm): string {
  const words = wordsOf(opened);
  return formPage(
    opened,
    words.renameTitle,
    <>
      <p>{words.renameHint}</p>
      <FaultSummary title={words.faults} faults={faults} />
      <form class="order fields" method="post" action={`${opened.path}/rename`} novalidate>
        <NamePair typed={typed} faults={faults} />
        <p>
          <button class="button">{words.save}</button>
        </p>
      </form>
    </>,
  );
}

interface ShownTicket extends Pick<TicketCard, 'code' | 'cancelEnd' | 'wallets' | 'offer' | 'calendars'> {
  /** The person has just accepted it. */
  readonly isAccepted: boolean;
}

/** The page of a ticket for the person to whom it was given. `code` is undefined while the ticket has no valid one. */
export async function ticketPage(
  { reservation, ticket, path, venue }: OpenedTicket,
  { isAccepted, ...shown }: ShownTicket,
  held: HeldEvent,
): Promise<string> {
  const language = currentLanguage();
  const words = wordsOf({ ticket });
  const tenant = currentTenant();
  const { id } = reservation;
  const card = await ticketCard(ticket, { ...shown, path, index: 0, order: [0], eventName: reservation.event.name });
  const main = (
    <article class="holder">
      <div class="two">
        <div class="flow">
          <HeldEventHead held={held} kind={words.yourTicket} />
          {isAccepted && <Step isGood title={words.acceptedTitle} text={words.acceptedText} />}
        </div>
        <section>
          <ul class="tickets passes cards">{card}</ul>
        </section>
      </div>
      <CancelRow tickets={[ticket]} end={shown.cancelEnd} />
      <Reference id={id} />
      {shown.code !== undefined && <KeptPage />}
    </article>
  );
  const head = <PassScript keeps />;
  return pageDocument({ tenant, language, title: `${words.yourTicket} · ${tenant.name}`, main, venue, sheet: 'holder', head });
}

/** What a link shows after its ticket was given to somebody else. */
export function givenAwayPage({ reservation, ticket, venue }: OpenedTicket): string {
  const language = currentLanguage();
  const words = wordsOf({ ticket });
  const tenant = currentTenant();
  const main = (
    <article class="holder">
      <header>
        <p class="caps" dir="auto">
          {reservation.event.name}
        </p>
        <h1>{words.givenAwayTitle}</h1>
      </header>
      <Step text={words.givenAway(maskedEmail(ticket.holderEmail ?? reservation.email))} />
    </article>
  );
  return pageDocument({ tenant, language, title: `${words.givenAwayTitle} · ${tenant.name}`, main, venue, sheet: 'holder' });
}

/** What a page of a form is about. */
interface FormSubject {
  readonly reservation: OpenedTicket['reservation'];
  /** Undefined: the whole reservation. */
  readonly ticket?: OpenedTicket['ticket'];
  /** The tickets that the page names. Default: `ticket`. */
  readonly about?: readonly OpenedTicket['ticket'][];
  /** Path of the page from which the form was opened. */
  readonly back: string;
  readonly venue: OpenedTicket['venue'];
  /** The tickets that the page shows from which the form was opened. Default: `ticket` when it was given away, else all. */
  readonly shown?: WholeReservation['tickets'];
}

/** The texts about a ticket, which may be goods. */
export function wordsOf({ ticket }: Pick<OpenedTicket, 'ticket'>): HolderWords {
  return holderWordsFor(currentLanguage(), [ticket]);
}

/** A page that says why something is not possible. */
export function refusedPage(opened: FormSubject, title: string, text: string): string {
  return formPage(opened, title, <Step text={text} role="alert" />);
}

/** First and last name beside each other. */
export function NamePair({ typed, faults }: TypedForm): VNode {
  const words = holderWords[currentLanguage()];
  const fields = [
    ['first_name', words.firstName],
    ['last_name', words.lastName],
  ] as const;
  return (
    <div class="pair">
      {fields.map(([name, label]) => (
        <InputField
          field={{ name, label, fault: faults.get(name) }}
          attributes={{ value: typed[name] ?? '', maxlength: 100, autocomplete: 'off' }}
        />
      ))}
    </div>
  );
}

/** A page about a ticket or a reservation, with the event and the way back. */
export function formPage(
  { reservation, ticket, about = ticket ? [ticket] : [], back, venue, shown }: FormSubject,
  title: string,
  body: ComponentChildren,
): string {
  const language = currentLanguage();
  const given = ticket && ticket.holderEmail !== null ? [ticket] : undefined;
  const words = holderWordsFor(language, shown ?? given ?? reservation.tickets);
  const tenant = currentTenant();
  const { event } = reservation;
  const main = (
    <>
      <WayBack path={back} label={words.back} />
      <div class="page-head">
        <p class="caps" dir="auto">
          {event.name}
        </p>
        <h1>{title}</h1>
      </div>
      <div class="two">
        <section class="part">
          <div class="ticket ticket-whole">
            <p>
              <When event={event} language={language} timeZone={tenant.timeZone} />
            </p>
            {about.length > 0 && (
              <ul>
                {about.map((one) => (
                  <li dir="auto">{ticketWords(one, reservation.event.name)}</li>
                ))}
              </ul>
            )}
          </div>
          {body}
        </section>
      </div>
    </>
  );
  return pageDocument({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, sheet: 'holder', hasScript: true });
}

interface LastStepProps {
  readonly action: string;
  /** The fields that the step before showed, with what was typed. */
  readonly fields: readonly string[];
  readonly typed: TypedForm['typed'];
  /** Value and label of the button that ends the form. */
  readonly end: readonly [step: string, label: string];
  /** The label of the button that leads back. */
  readonly change: string;
  readonly children?: ComponentChildren;
}

/** The last step of a form that was filled in: sends all of it, or leads back to change it. */
export function LastStep({ action, fields, typed, end: [step, label], change, children }: LastStepProps): VNode {
  return (
    <form method="post" action={action}>
      {fields.map((field) => (
        <input type="hidden" name={field} value={typed[field] ?? ''} />
      ))}
      {children}
      <div class="actions">
        <button class="button" name="step" value={step}>
          {label}
        </button>{' '}
        <button class="link" name="step" value="change">
          {change}
        </button>
      </div>
    </form>
  );
}
