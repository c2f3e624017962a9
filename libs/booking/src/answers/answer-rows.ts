import { Question } from '#catalogue';
import { grouped } from '#kernel';
import { anyOf, rowsById, type Tx } from '#tenancy';
import { IsNull } from 'typeorm';
import { Answer, type AnswerValue } from '../entities/answer.entity.js';

/** An answer with its question, which may be archived. */
export type WholeAnswer = Answer & { readonly question: Question };

/** An answer to store. */
export interface NewAnswer {
  readonly questionId: string;
  /** null: the answer belongs to the whole reservation, or to a membership. */
  readonly ticketId: string | null;
  readonly label: string;
  readonly value: AnswerValue;
}

/** The reservation or membership that answers belong to. */
export type AnswerSubject = { readonly reservationId: string } | { readonly membershipId: string };

/**
 * Loads the questions that products currently ask, by position, and locks them (`for key share`), so that changes of their definitions wait
 * until the transaction ends. Call it before events, reservations and prices are locked.
 */
export async function askedBy(tx: Tx, productIds: readonly string[]): Promise<Question[]> {
  if (productIds.length === 0) return [];
  const questions = await tx.find(Question, {
    where: { productId: anyOf(productIds), archivedAt: IsNull() },
    order: { id: 'ASC' },
    lock: { mode: 'for_key_share' },
  });
  return questions.toSorted((one, other) => one.position - other.position);
}

/** Stores answers of a reservation or a membership. */
export async function keepAnswers(tx: Tx, subject: AnswerSubject, answers: readonly NewAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const [reservationId, membershipId] = 'reservationId' in subject ? [subject.reservationId, null] : [null, subject.membershipId];
  await tx.query(
    `insert into answer (question_id, reservation_id, membership_id, ticket_id, label, value)
     select question_id, $1::uuid, $2::uuid, ticket_id, label, value
     from unnest($3::uuid[], $4::uuid[], $5::text[], $6::jsonb[]) as a (question_id, ticket_id, label, value)`,
    [
      reservationId,
      membershipId,
      answers.map(({ questionId }) => questionId),
      answers.map(({ ticketId }) => ticketId),
      answers.map(({ label }) => label),
      answers.map(({ value }) => JSON.stringify(value)),
    ],
  );
}

/** Answers by the reservation or the membership that they belong to, in the order in which the questions are asked. */
export async function loadAnswers(
  tx: Tx,
  subject: 'reservationId' | 'membershipId',
  ids: readonly string[],
): Promise<ReadonlyMap<string | null, WholeAnswer[]>> {
  const rows = await tx.find(Answer, { where: { [subject]: anyOf(ids) } });
  const questions = await rowsById(
    tx,
    Question,
    rows.map(({ questionId }) => questionId),
  );
  const answers = rows.map((row) => Object.assign(row, { question: questions.get(row.questionId) as Question }));
  const sorted = answers.toSorted(
    ({ question: one }, { question: other }) => one.position - other.position || (one.id < other.id ? -1 : 1),
  );
  return grouped(sorted, (answer) => answer[subject]);
}
