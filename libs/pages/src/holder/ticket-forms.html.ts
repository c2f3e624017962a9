import type { WholeReservation } from '#tickets';
import { currentLanguage, dotted, escapeHtml, maskedEmail } from '#kernel';
import { currentTenant } from '#tenancy';
import { inputHtml, pageFrame, summaryHtml, whenHtml } from '#page-kit';
import type { OpenedTicket } from './holder-access.service.js';
import { holderWords, holderWordsFor, type HolderWords } from './holder.words.js';
import { ticketCardHtml, type TicketCard } from './ticket-card.html.js';

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
    `<p>${escapeHtml(words.renameHint)}</p>
${summaryHtml(words.faults, faults)}<form class="sheet order" method="post" action="${escapeHtml(opened.path)}/rename" novalidate>
<div class="pair">${nameInputs(typed, faults)}</div>
<p><button class="button">${escapeHtml(words.save)}</button></p>
</form>`,
  );
}

/** The form that gives a ticket to somebody else. */
export function transferPage(opened: OpenedTicket, { typed, faults }: TypedForm): string {
  const words = wordsOf(opened);
  const email = inputHtml(
    { name: 'email', label: words.email, fault: faults.get('email') },
    { type: 'email', value: typed['email'] ?? '', required: true, maxlength: 254, autocomplete: 'off' },
  );
  return formPage(
    opened,
    words.transferTitle,
    `<p>${escapeHtml(words.transferHint)}</p>
${summaryHtml(words.faults, faults)}<form class="sheet order" method="post" action="${escapeHtml(opened.path)}/transfer" novalidate>
${email}
<div class="pair">${nameInputs(typed, faults)}</div>
<p class="hold">${escapeHtml(words.transferWarning)}</p>
<p><button class="button">${escapeHtml(words.give)}</button></p>
</form>`,
  );
}

/** The page of a ticket for the person to whom it was given. `code` is undefined while the ticket has no valid one. */
export async function ticketPage(
  { reservation, ticket, path, venue }: OpenedTicket,
  shown: Pick<TicketCard, 'code' | 'mayCancel' | 'wallets'>,
): Promise<string> {
  const language = currentLanguage();
  const words = wordsOf({ ticket });
  const tenant = currentTenant();
  const { event } = reservation;
  const main = `<article class="holder">
<header>
<p class="kind">${escapeHtml(words.yourTicket)}</p>
<h1 dir="auto">${escapeHtml(event.name)}</h1>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
</header>
<section>
<ul class="tickets passes">
${await ticketCardHtml(ticket, { ...shown, path, index: 0, count: 1 })}
</ul>
</section>
<p class="reference">${escapeHtml(words.reference)} ${escapeHtml(reservation.id.slice(0, 8).toUpperCase())}</p>
</article>`;
  return pageFrame({ tenant, language, title: `${words.yourTicket} · ${tenant.name}`, main, venue });
}

/** What a link shows after its ticket was given to somebody else. */
export function givenAwayPage({ reservation, ticket, venue }: OpenedTicket): string {
  const language = currentLanguage();
  const words = wordsOf({ ticket });
  const tenant = currentTenant();
  const text = words.givenAway(maskedEmail(ticket.holderEmail ?? reservation.email));
  const main = `<article class="holder">
<header>
<p class="kind" dir="auto">${escapeHtml(reservation.event.name)}</p>
<h1>${escapeHtml(words.givenAwayTitle)}</h1>
</header>
<section class="step"><p>${escapeHtml(text)}</p></section>
</article>`;
  return pageFrame({ tenant, language, title: `${words.givenAwayTitle} · ${tenant.name}`, main, venue });
}

/** What a page of a form is about. */
export interface FormSubject {
  readonly reservation: OpenedTicket['reservation'];
  /** Undefined: the whole reservation. */
  readonly ticket?: OpenedTicket['ticket'];
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
  return formPage(opened, title, `<section class="step" role="alert"><p>${escapeHtml(text)}</p></section>`);
}

function nameInputs(typed: TypedForm['typed'], faults: TypedForm['faults']): string {
  const words = holderWords[currentLanguage()];
  const field = (name: string, label: string): string =>
    inputHtml({ name, label, fault: faults.get(name) }, { value: typed[name] ?? '', maxlength: 100, autocomplete: 'off' });
  return field('first_name', words.firstName) + field('last_name', words.lastName);
}

/** A page about a ticket or a reservation, with the event and the way back. @param body HTML */
export function formPage({ reservation, ticket, back, venue, shown }: FormSubject, title: string, body: string): string {
  const language = currentLanguage();
  const given = ticket && ticket.holderEmail !== null ? [ticket] : undefined;
  const words = holderWordsFor(language, shown ?? given ?? reservation.tickets);
  const tenant = currentTenant();
  const { event } = reservation;
  const about = ticket ? `<p class="what" dir="auto">${escapeHtml(ticketWords(ticket))}</p>\n` : '';
  const main = `<p class="back"><a href="${escapeHtml(back)}">← ${escapeHtml(words.back)}</a></p>
<article class="holder order-page">
<header>
<p class="kind" dir="auto">${escapeHtml(event.name)}</p>
<h1>${escapeHtml(title)}</h1>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
${about}</header>
${body}
</article>`;
  return pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, hasScript: true });
}

/** Product, price and name of a ticket on one line. */
export function ticketWords({ price, firstName, lastName }: OpenedTicket['ticket']): string {
  return dotted([price.product.name, price.name, `${firstName} ${lastName}`.trim()].filter(Boolean));
}
