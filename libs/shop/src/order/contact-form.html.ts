import type { OrderedTickets } from '#selling';
import type { WholeReservation } from '#tickets';
import { beforeWhen, costsNothing, currency, escapeHtml, type Language, moneyWords } from '#kernel';
import type { OfferedAccount } from '#payments';
import { checkboxHtml, faultHtml, inputHtml, summaryHtml, written } from '#page-kit';
import type { TypedContact } from './contact-form.dto.js';
import { orderWords, orderWordsFor } from './order.words.js';
import { fieldset, orderQuestionsHtml, ticketQuestionsHtml, type ShownQuestions } from './questions.html.js';

/** More tickets get no field for each name. */
const mostNames = 20;

/** An order whose contact form is shown. */
export interface OrderToComplete extends Pick<OrderedTickets, 'questions' | 'canPayOnline' | 'payAtVenueUntil'> {
  readonly tickets: WholeReservation['tickets'];
  /** The sum of everything, decimal text. */
  readonly amount: string;
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
  /** Accounts for online payments; the buyer chooses when there are several. */
  readonly accounts: readonly OfferedAccount[];
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
}

/** The form with which a buyer completes an order. Works without scripts. */
export function contactFormHtml(shown: ShownContact): string {
  const { order, path, language, typed, faults, hasTerms } = shown;
  const { tickets, amount, questions } = order;
  const words = orderWordsFor(language, tickets);
  const asked: ShownQuestions = { questions, tickets, typed, faults, words };
  const isFree = costsNothing(amount);
  const text = (field: string): string => typed(field)[0] ?? '';
  const send = isFree ? words.send : words.sendPaid(moneyWords(amount, currency, language));
  const ids = order.shownIds.map((id) => `<input type="hidden" name="ticket" value="${escapeHtml(id)}">`).join('');
  const name = (field: 'first_name' | 'last_name', label: string, autocomplete: string): string =>
    inputHtml(
      { name: field, label, optional: words.optional, fault: faults.get(field) },
      { value: text(field), maxlength: 100, autocomplete },
    );
  return `${summaryHtml(words.faults, faults)}<form class="sheet order" method="post" action="${escapeHtml(path)}" novalidate>
${ids}${fieldset(words.contact, [
    `<p class="hint">${escapeHtml(words.required)}</p>`,
    inputHtml(
      {
        name: 'email',
        label: words.email,
        hint: emailHint(shown),
        fault: faults.get('email'),
      },
      { type: 'email', value: text('email'), required: true, maxlength: 254, autocomplete: 'email' },
    ),
    // In another tab, so that what was typed stays.
    awaitsConfirmation(shown) ? signInHtml(awaitsMember(shown) ? words.signInTab : words.signInOwn) : '',
    `<div class="pair">${name('first_name', words.firstName, 'given-name')}${name('last_name', words.lastName, 'family-name')}</div>`,
  ])}
${orderQuestionsHtml(asked)}
${ticketsHtml(shown, asked)}
${isFree ? '' : paymentHtml(shown)}
<div class="closing">
${hasTerms ? termsHtml(shown) : ''}
<p><button class="button">${escapeHtml(send)}</button></p>
</div>
</form>`;
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
  const { order, signedIn } = shown;
  return awaitsMember(shown) || (!signedIn && !order.offeredTo && (costsNothing(order.amount) || order.payAtVenueUntil !== undefined));
}

const signInHtml = (label: string): string => `<p><a href="/account" target="_blank" rel="noopener nofollow">${escapeHtml(label)}</a></p>`;

function emailHint(shown: ShownContact): string {
  const { order, language, signedIn } = shown;
  const words = orderWordsFor(language, order.tickets);
  if (order.offeredTo) return isForMembers(order) ? words.offeredHint : words.emailHint;
  if (signedIn) return words.signedIn;
  if (awaitsMember(shown)) return words.membershipHint;
  return awaitsConfirmation(shown) && costsNothing(order.amount) ? `${words.emailHint} ${words.confirmHint}` : words.emailHint;
}

/** Names of each ticket, and questions of each ticket and item. Nobody is asked for a name on goods. */
function ticketsHtml({ typed, faults, language }: ShownContact, asked: ShownQuestions): string {
  const { tickets } = asked;
  const words = orderWordsFor(language, tickets);
  const [first, last] = [typed('holder_first'), typed('holder_last')];
  const hasNames = tickets.length <= mostNames && tickets.filter(({ admission }) => admission).length > 1;
  const blocks = tickets.map((ticket, index) => {
    const field = (kind: 'first' | 'last', label: string, value = ''): string => {
      const id = `holder_${kind}-${index}`;
      return inputHtml(
        { name: id, label, optional: words.optional, fault: faults.get(id) },
        { name: `holder_${kind}`, value, maxlength: 100, autocomplete: 'off' },
      );
    };
    const names =
      hasNames && ticket.admission
        ? [`<div class="pair">${field('first', words.firstName, first[index])}${field('last', words.lastName, last[index])}</div>`]
        : [];
    const { product, name } = ticket.price;
    const what = ticket.admission ? name : [...new Set([product.name, name])].join(' · ');
    const number = tickets.slice(0, index + 1).filter(({ admission }) => admission === ticket.admission).length;
    const legend = orderWordsFor(language, [ticket]).ticket(number, what);
    const fields = [...names, ...ticketQuestionsHtml(asked, ticket)];
    // The names are sent in the order of the tickets.
    const unnamed = hasNames && !ticket.admission ? emptyName : '';
    return { html: `${fields.length > 0 ? fieldset(legend, fields) : ''}${unnamed}`, hasQuestions: fields.length > names.length };
  });
  const lines = blocks.map(({ html }) => html).join('\n');
  if (blocks.some(({ hasQuestions }) => hasQuestions)) return lines;
  if (!hasNames) return '';
  const isOpen = [...first, ...last].some((value) => value !== '') || [...faults.keys()].some((id) => id.startsWith('holder_'));
  return `<details class="names"${isOpen ? ' open' : ''}>
<summary>${escapeHtml(words.names)} <span class="optional">(${escapeHtml(words.optional)})</span></summary>
<p class="hint">${escapeHtml(words.namesHint)}</p>
${lines}</details>`;
}

const emptyName = ['first', 'last'].map((kind) => `<input type="hidden" name="holder_${kind}" value="">`).join('');

function paymentHtml(shown: ShownContact): string {
  const { order, typed, faults, language, timeZone } = shown;
  const words = orderWordsFor(language, order.tickets);
  const { canPayOnline, payAtVenueUntil } = order;
  const fault = faultHtml('payment', faults.get('payment'));
  const online = canPayOnline ? onlineWays(shown) : [];
  if (online.length + (payAtVenueUntil ? 1 : 0) < 2) {
    const later = awaitsMember(shown) ? words.afterMail : words.onlyOnline;
    const text = payAtVenueUntil ? words.onlyVenue(beforeWhen(payAtVenueUntil, language, timeZone)) : later;
    return `<div id="payment" tabindex="-1">${fault}<p>${escapeHtml(text)}</p></div>`;
  }
  const ways = [
    ...online,
    ...(payAtVenueUntil
      ? [{ value: 'venue', label: words.venue, hint: words.venueHint(beforeWhen(payAtVenueUntil, language, timeZone)) }]
      : []),
  ];
  const [given] = typed('payment');
  const chosen = ways.some(({ value }) => value === given) ? given : ways[0]?.value;
  const choices = ways.map(({ value, label, hint }) => {
    const attributes = { type: 'radio', id: `payment-${value}`, name: 'payment', value, checked: chosen === value };
    const more = hint === '' ? '' : ` <span>${escapeHtml(hint)}</span>`;
    const text = `<label for="payment-${value}"><strong>${escapeHtml(label)}</strong>${more}</label>`;
    return `<div class="choice"><input${written(attributes)}>${text}</div>`;
  });
  return `<fieldset id="payment" tabindex="-1" class="kinds"><legend>${escapeHtml(words.payment)}</legend>
${fault}${choices.join('\n')}
</fieldset>`;
}

/** The ways to pay online. Who pays later, after a mail, does not choose now. */
function onlineWays(shown: ShownContact): { readonly value: string; readonly label: string; readonly hint: string }[] {
  const { order, language, accounts } = shown;
  const label = orderWordsFor(language, order.tickets).online;
  if (accounts.length < 2 || awaitsMember(shown)) return [{ value: 'online', label, hint: '' }];
  return accounts.map((account) => ({ value: account.id, label, hint: account.label[language] }));
}

function termsHtml({ typed, faults, language }: ShownContact): string {
  const words = orderWords[language];
  const box = checkboxHtml({ name: 'terms', label: words.terms, fault: faults.get('terms') }, (typed('terms')[0] ?? '') !== '', {
    required: true,
  });
  return `${box}<p><a href="/terms" target="_blank" rel="noopener">${escapeHtml(words.readTerms)}</a></p>`;
}
