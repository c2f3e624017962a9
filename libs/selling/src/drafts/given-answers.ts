import type { Question } from '#catalogue';
import { refusalsOf, RefusedInputs } from '#kernel';
import { answersOfReservation, contactFaults, type DraftContact, type GivenAnswer, type WholeReservation } from '#tickets';

/** The products of tickets. */
export function productsOf(tickets: WholeReservation['tickets']): string[] {
  return [...new Set(tickets.map(({ price }) => price.productId))];
}

/**
 * Reads the answers, each ticket as a line of its own.
 * @param questions of the products of the tickets
 * @throws RefusedInputs with the faults of the whole form
 */
export function answersTo(questions: readonly Question[], { tickets }: WholeReservation, contact: DraftContact): GivenAnswer[] {
  const faults = contactFaults(contact);
  const lines = tickets.map(({ id, price }, index) => ({
    productId: price.productId,
    ticketIds: [id],
    answers: contact.ticketAnswers[index],
  }));
  let answers: GivenAnswer[] = [];
  faults.push(...refusalsOf(() => (answers = answersOfReservation(questions, contact.answers, lines))));
  if (faults.length > 0) throw new RefusedInputs(faults);
  return answers;
}
