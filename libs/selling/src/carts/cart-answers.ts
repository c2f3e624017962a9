import {
  type GivenAnswers,
  askedBy,
  type GivenAnswer,
  answersOfMembership,
  contactFaults,
  type DraftContact,
  type WholeReservation,
} from '#tickets';
import { refusalsOf, RefusedInputs } from '#kernel';
import type { Tx } from '#tenancy';
import { answersTo, productsOf } from '../drafts/given-answers.js';
import { askedByMembership, type CartContents } from './ordered-cart.js';

/** The form of a cart as a form of each part. */
export function formsOf(parts: readonly WholeReservation[], contact: DraftContact): DraftContact[] {
  return parts.map(({ tickets }, index) => {
    const first = firstTicket(parts, index);
    const end = first + tickets.length;
    return {
      ...contact,
      ticketIds: contact.ticketIds.slice(first, end),
      holders: contact.holders.slice(first, end),
      ticketAnswers: contact.ticketAnswers.slice(first, end),
    };
  });
}

/** Position of the first ticket of a part among all tickets. */
function firstTicket(parts: readonly WholeReservation[], index: number): number {
  return parts.slice(0, index).reduce((sum, { tickets }) => sum + tickets.length, 0);
}

/** Answers of a cart. */
export interface CartAnswers {
  /** In the order of the parts. */
  readonly parts: readonly GivenAnswer[][];
  /** What was answered to the questions of each membership, in the order of the memberships. */
  readonly memberships: readonly GivenAnswers[];
}

/** The answers of each part and membership. @throws RefusedInputs with the faults of the whole form */
export async function answersOf(tx: Tx, { parts, chosen }: CartContents, contact: DraftContact): Promise<CartAnswers> {
  const faults = new Map(contactFaults(contact).map((fault) => [fault.field, fault]));
  const collect = (first: number, read: () => void): void => {
    for (const fault of refusalsOf(read)) {
      const field = inCart(fault.field, first);
      if (!faults.has(field)) faults.set(field, fault.at(field));
    }
  };
  const ofParts: GivenAnswer[][] = [];
  const forms = formsOf(parts, contact);
  for (const [index, part] of parts.entries()) {
    const form = forms[index] as DraftContact;
    const questions = await askedBy(tx, productsOf(part.tickets));
    const answers = ownAnswers(form, questions);
    collect(firstTicket(parts, index), () => ofParts.push(answersTo(questions, part, { ...form, answers })));
  }
  const ofMemberships: GivenAnswers[] = [];
  for (const { productId } of chosen) {
    const questions = await askedByMembership(tx, productId);
    const answers = ownAnswers(contact, questions);
    collect(0, () => answersOfMembership(questions, answers));
    ofMemberships.push(answers);
  }
  if (faults.size > 0) throw new RefusedInputs([...faults.values()]);
  return { parts: ofParts, memberships: ofMemberships };
}

/** The answers to these questions. */
function ownAnswers({ answers }: DraftContact, questions: readonly { readonly id: string; readonly name: string }[]): GivenAnswers {
  const asked = new Set(questions.flatMap(({ id, name }) => [id, name]));
  return new Map([...answers].filter(([question]) => asked.has(question)));
}

/** `tickets.0.answers.x` of a part, with the position among all tickets of the cart. */
function inCart(field: string, first: number): string {
  return field.replace(/^(tickets|holders)\.(\d+)/, (_, list: string, index: string) => `${list}.${Number(index) + first}`);
}
