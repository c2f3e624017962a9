import { reply, seeOther, type Redirection, type Reply } from '#http';
import { RefusedInput } from '#kernel';
import { personalReply, reader } from '#page-kit';
import type { HolderAccess, TicketParams } from './holder-access.service.js';
import type { OpenedTicket } from './pages/held-ticket.js';
import { givenAwayPage, refusedPage, type TypedForm, wordsOf } from './pages/ticket-forms.js';

type Shown = Reply<string> | Reply<Redirection>;

export const noFaults: TypedForm['faults'] = new Map();

/** A personal file, shown in the browser. @param name file name with extension */
export function fileReply(type: string, name: string, file: Buffer): Reply<Buffer> {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Disposition': `inline; filename="${name}"` };
  return reply(file, { headers });
}

/**
 * The ticket of a link.
 * @returns an answer instead of the ticket for a link from before a transfer
 * @throws Problem `route.unknown` when the link is not valid
 */
export async function openTicket(access: HolderAccess, params: TicketParams): Promise<OpenedTicket | Reply<string> | Reply<Redirection>> {
  const opened = await access.ticket(params);
  if (!opened.isGivenAway) return opened;
  return params.id === undefined ? personalReply(givenAwayPage(opened), { status: 410 }) : seeOther(opened.back);
}

/** A form as it was sent, and the page that shows it again with its faults. */
interface SentForm {
  readonly typed: TypedForm['typed'];
  readonly page: (opened: OpenedTicket, form: TypedForm) => string;
}

/**
 * Answers a form about a ticket.
 * @param work whether the ticket can be changed
 * @param done the answer then; default: back to the ticket
 */
export async function answerForm(
  opened: OpenedTicket,
  { typed, page }: SentForm,
  work: () => Promise<boolean>,
  done: () => Shown = () => seeOther(opened.back),
): Promise<Shown> {
  try {
    return (await work()) ? done() : refuseChange(opened);
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    return personalReply(page(opened, { typed, faults: faultsOf(error) }), { status: 422 });
  }
}

/** Says that a ticket can no longer be changed. */
export function refuseChange(opened: OpenedTicket): Reply<string> {
  const words = wordsOf(opened);
  return personalReply(refusedPage(opened, words.notNowTitle, words.notNow), { status: 409 });
}

/** The texts of a body by the names of its fields. */
export function readFields<Field extends string>(body: unknown, fields: readonly Field[]): Record<Field, string> {
  const textOf = reader(body);
  return Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Record<Field, string>;
}

/** The first fault of each field of a form, in the order of the fields. */
export function faultsOf(error: RefusedInput): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, string>> = { firstName: 'first_name', lastName: 'last_name' };
  const shown = new Map<string, string>();
  for (const { field, message } of error.faults) {
    const name = names[field] ?? field;
    if (!shown.has(name)) shown.set(name, message);
  }
  return shown;
}
