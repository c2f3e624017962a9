import type { Question } from '#catalogue';
import type { OrderedTickets } from '#selling';
import { paymentWays, type DraftContact, type WholeReservation } from '#tickets';
import { isUuid, type Language, type RefusedInput } from '#kernel';
import { reader, valuesOf } from '#page-kit';

/** Names of the fields whose empty text is a text. Answers have the field `q-<question>`. */
export const contactFields = [
  'email',
  'first_name',
  'last_name',
  'holder_first',
  'holder_last',
  'terms',
  'payment',
  'ticket',
  'follow',
] as const;

/**
 * Values of all fields, as they were sent. A field that is asked for each ticket has one value for each in the order of the tickets; a
 * multiple choice sends `<position of the ticket>.<position of the choice>`, a tick its ticket's position.
 */
export type TypedContact = (field: string) => readonly string[];

export function typedContact(body: unknown): TypedContact {
  return (field) => valuesOf(body, field);
}

export const nothingTyped: TypedContact = () => [];

/** The form as it is shown first, with the address that the tickets are offered to, or that is signed in. */
export function knownContact({ offeredTo }: Pick<OrderedTickets, 'offeredTo'>, signedIn = ''): TypedContact {
  const email = offeredTo || signedIn;
  return (field) => (field === 'email' && email !== '' ? [email] : []);
}

/** Name of the field of a question. */
export const questionField = ({ id }: Pick<Question, 'id'>): string => `q-${id}`;

/** The tickets that a question is asked for; undefined in the list: it is asked once. */
export function subjectsOf(
  { scope, productId }: Question,
  tickets: WholeReservation['tickets'],
): readonly (WholeReservation['tickets'][number] | undefined)[] {
  return scope === 'ticket' ? tickets.filter(({ price }) => price.productId === productId) : [undefined];
}

/** Reads the contact form of an order with these tickets and questions. */
export function readContact(
  body: unknown,
  { tickets }: Pick<WholeReservation, 'tickets'>,
  questions: readonly Question[],
  { language, hasTerms }: { readonly language: Language; readonly hasTerms: boolean },
): DraftContact {
  const textOf = reader(body);
  const typed = typedContact(body);
  const [first, last] = [typed('holder_first'), typed('holder_last')];
  const answers = new Map<string, unknown>();
  const ticketAnswers = tickets.map(() => new Map<string, unknown>());
  for (const question of questions) {
    for (const [place, ticket] of subjectsOf(question, tickets).entries()) {
      const given = answerOf(question, place, typed(questionField(question)));
      const target = ticket ? ticketAnswers[tickets.indexOf(ticket)] : answers;
      if (given !== undefined) target?.set(question.id, given);
    }
  }
  return {
    email: textOf('email'),
    firstName: textOf('first_name'),
    lastName: textOf('last_name'),
    language,
    ticketIds: typed('ticket'),
    holders: tickets.map((_, index) => ({ firstName: first[index] ?? '', lastName: last[index] ?? '' })),
    answers,
    ticketAnswers,
    acceptsTerms: hasTerms ? textOf('terms') !== '' : undefined,
    ...paymentOf(body),
  };
}

/** How the form says that the order is paid: `venue`, `online`, `transfer`, or the id of an account for online payments. */
export function paymentOf(body: unknown): Pick<DraftContact, 'payment' | 'accountId'> {
  const payment = reader(body)('payment').toLowerCase();
  if (isUuid(payment)) return { payment: 'online', accountId: payment };
  return { payment: paymentWays.find((way) => way === payment) };
}

/** @param place position among the tickets that the question is asked for */
function answerOf({ kind, choices }: Question, place: number, values: readonly string[]): unknown {
  if (kind === 'yes_no') return values.includes(String(place)) ? true : undefined;
  if (kind !== 'multiple_choice') return values[place];
  const prefix = `${place}.`;
  return values.filter((value) => value.startsWith(prefix)).map((value) => choices[Number(value.slice(prefix.length))] ?? '');
}

const fieldNames: Readonly<Record<string, string>> = { firstName: 'first_name', lastName: 'last_name' };

/** The first fault of each field, by the id of the field. */
export function contactFaults(
  error: RefusedInput,
  tickets: WholeReservation['tickets'],
  questions: readonly Question[],
): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  for (const { field, message } of error.faults) {
    const id = fieldIdOf(field, tickets, questions);
    const question = questions.find((one) => id.startsWith(`${questionField(one)}-`));
    // Names the question, because the list of faults has the same sentence for each.
    if (!faults.has(id)) faults.set(id, question ? `${question.label} – ${message}` : message);
  }
  return faults;
}

function fieldIdOf(field: string, tickets: WholeReservation['tickets'], questions: readonly Question[]): string {
  const [, holder, name = ''] = /^holders\.(\d+)\.(\w+)$/.exec(field) ?? [];
  if (holder !== undefined) return `holder_${name === 'firstName' ? 'first' : 'last'}-${holder}`;
  const [, index, asked = ''] = /^(?:tickets\.(\d+)\.)?answers\.(.+)$/.exec(field) ?? [];
  const question = questions.find((one) => one.id === asked || one.name === asked);
  if (question) {
    const ticket = index === undefined ? undefined : tickets[Number(index)];
    return `${questionField(question)}-${Math.max(0, subjectsOf(question, tickets).indexOf(ticket))}`;
  }
  return fieldNames[field] ?? field;
}
