import type { OrderedTickets, WholeReservation } from '#booking';
import { costsNothing, escapeHtml, moneyWords, type Language } from '#kernel';
import { checkboxHtml, faultHtml, inputHtml, summaryHtml, written } from '#pages';
import type { TypedContact } from './contact-form.dto.js';
import { heldWords } from './order-summary.html.js';
import { orderWords } from './order.words.js';
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
}

/** What the contact form shows. */
export interface ShownContact {
  readonly order: OrderToComplete;
  readonly path: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly hasTerms: boolean;
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
}

/** The form with which a buyer completes an order. Works without scripts. */
export function contactFormHtml(shown: ShownContact): string {
  const { order, path, language, typed, faults, hasTerms, signedIn } = shown;
  const { tickets, amount, questions } = order;
  const words = orderWords[language];
  const asked: ShownQuestions = { questions, tickets, typed, faults, words };
  const isFree = costsNothing(amount);
  const isForMembers = tickets.some(({ price }) => price.requiredMembershipId !== null);
  const text = (field: string): string => typed(field)[0] ?? '';
  const send = isFree ? words.send : words.sendPaid(moneyWords(amount, 'EUR', language));
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
        hint: signedIn ? words.signedIn : isForMembers ? words.membershipHint : words.emailHint,
        fault: faults.get('email'),
      },
      { type: 'email', value: text('email'), required: true, maxlength: 254, autocomplete: 'email' },
    ),
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

/** Names and questions of each ticket. */
function ticketsHtml({ typed, faults, language }: ShownContact, asked: ShownQuestions): string {
  const words = orderWords[language];
  const { tickets } = asked;
  const [first, last] = [typed('holder_first'), typed('holder_last')];
  const hasNames = tickets.length > 1 && tickets.length <= mostNames;
  const blocks = tickets.map((ticket, index) => {
    const field = (kind: 'first' | 'last', label: string, value = ''): string => {
      const id = `holder_${kind}-${index}`;
      return inputHtml(
        { name: id, label, optional: words.optional, fault: faults.get(id) },
        { name: `holder_${kind}`, value, maxlength: 100, autocomplete: 'off' },
      );
    };
    const names = hasNames
      ? [`<div class="pair">${field('first', words.firstName, first[index])}${field('last', words.lastName, last[index])}</div>`]
      : [];
    return { legend: words.ticket(index + 1, ticket.price.name), names, questions: ticketQuestionsHtml(asked, ticket) };
  });
  if (blocks.some(({ questions }) => questions.length > 0)) {
    return blocks.map(({ legend, names, questions }) => fieldset(legend, [...names, ...questions])).join('\n');
  }
  if (!hasNames) return '';
  const isOpen = [...first, ...last].some((value) => value !== '') || [...faults.keys()].some((id) => id.startsWith('holder_'));
  const lines = blocks.map(({ legend, names }) => fieldset(legend, names)).join('\n');
  return `<details class="names"${isOpen ? ' open' : ''}>
<summary>${escapeHtml(words.names)} <span class="optional">(${escapeHtml(words.optional)})</span></summary>
<p class="hint">${escapeHtml(words.namesHint)}</p>
${lines}</details>`;
}

function paymentHtml({ order, typed, faults, language, timeZone }: ShownContact): string {
  const words = orderWords[language];
  const { canPayOnline, payAtVenueUntil } = order;
  const fault = faultHtml('payment', faults.get('payment'));
  if (!payAtVenueUntil || !canPayOnline) {
    const text = payAtVenueUntil ? words.onlyVenue(heldWords(payAtVenueUntil, language, timeZone)) : words.onlyOnline;
    return `<div id="payment" tabindex="-1">${fault}<p>${escapeHtml(text)}</p></div>`;
  }
  const chosen = typed('payment')[0] ?? 'online';
  const choice = (value: 'online' | 'venue', label: string, hint: string): string => {
    const attributes = { type: 'radio', id: `payment-${value}`, name: 'payment', value, checked: chosen === value };
    const more = hint === '' ? '' : ` <span>${escapeHtml(hint)}</span>`;
    const text = `<label for="payment-${value}"><strong>${escapeHtml(label)}</strong>${more}</label>`;
    return `<div class="choice"><input${written(attributes)}>${text}</div>`;
  };
  return `<fieldset id="payment" tabindex="-1" class="kinds"><legend>${escapeHtml(words.payment)}</legend>
${fault}${choice('online', words.online, '')}
${choice('venue', words.venue, words.venueHint(heldWords(payAtVenueUntil, language, timeZone)))}
</fieldset>`;
}

function termsHtml({ typed, faults, language }: ShownContact): string {
  const words = orderWords[language];
  const box = checkboxHtml({ name: 'terms', label: words.terms, fault: faults.get('terms') }, (typed('terms')[0] ?? '') !== '', {
    required: true,
  });
  return `${box}<p><a href="/terms" target="_blank" rel="noopener">${escapeHtml(words.readTerms)}</a></p>`;
}
