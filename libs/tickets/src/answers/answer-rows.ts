import { Question } from '#catalogue';
import { grouped } from '#kernel';
import { anyOf, queryPrepared, rowsById, type PreparedStatement, type Tx } from '#tenancy';
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

/** An answer to store, with its question. */
export interface GivenAnswer extends NewAnswer {
  readonly question: Question;
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

/**
 * SQL: the questions that products currently ask, in the order of their ids, in which they are to be locked.
 * @param productIds SQL of a list of ids, or a query for them
 */
export const askedSql = (productIds: string): string => `select id, product_id as "productId", name, label, help, kind, scope, required,
    choices, position, archived_at as "archivedAt", created_at as "createdAt"
  from question where archived_at is null and product_id in (${productIds}) order by id`;

const ofTickets = askedSql('select product_id from price where id in (select price_id from ticket where reservation_id = $1)');

const askedOfTickets: PreparedStatement = {
  name: 'questions-of-tickets',
  text: `with asked as (${ofTickets}) select * from asked order by position`,
};

const lockedOfTickets: PreparedStatement = {
  name: 'questions-of-tickets-locked',
  text: `with asked as (${ofTickets} for key share) select * from asked order by position`,
};

/** Like `askedBy`, of the products of a reservation's tickets. @param locked false: only shows them */
export function askedByTicketsOf(tx: Tx, reservationId: string, locked = true): Promise<Question[]> {
  return queryPrepared<Question & Record<string, unknown>>(tx, locked ? lockedOfTickets : askedOfTickets, [reservationId]);
}

/**
 * SQL that inserts answers, as a statement or a data-modifying CTE.
 * @param first the number of its first parameter; `answerValues` returns the values
 * @param rule name of a CTE that has a row when they may be inserted; default: always
 */
export function insertAnswersSql(first: number, reservation: string, membership: string, rule?: string): string {
  const [question, ticket, label, value] = [0, 1, 2, 3].map((index) => `$${first + index}`);
  return `insert into answer (question_id, reservation_id, membership_id, ticket_id, label, value)
    select question_id, ${reservation}::uuid, ${membership}::uuid, ticket_id, label, value
    from ${rule ? `${rule}, ` : ''}unnest(${question}::uuid[], ${ticket}::uuid[], ${label}::text[], ${value}::jsonb[])
      as given (question_id, ticket_id, label, value)`;
}

/** The values of the parameters of `insertAnswersSql`. */
export function answerValues(answers: readonly NewAnswer[]): unknown[][] {
  return [
    answers.map(({ questionId }) => questionId),
    answers.map(({ ticketId }) => ticketId),
    answers.map(({ label }) => label),
    answers.map(({ value }) => JSON.stringify(value)),
  ];
}

/** Stores answers of a reservation or a membership. */
export async function keepAnswers(tx: Tx, subject: AnswerSubject, answers: readonly NewAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const [reservationId, membershipId] = 'reservationId' in subject ? [subject.reservationId, null] : [null, subject.membershipId];
  await tx.query(insertAnswersSql(3, '$1', '$2'), [reservationId, membershipId, ...answerValues(answers)]);
}

/** Like `answersBy`, of these reservations or memberships. */
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
  return answersBy(subject, rows, questions);
}

/** Answers by the reservation or the membership that they belong to, in the order in which the questions are asked. */
export function answersBy(
  subject: 'reservationId' | 'membershipId',
  rows: readonly Answer[],
  questions: ReadonlyMap<string, Question>,
): ReadonlyMap<string | null, WholeAnswer[]> {
  const answers = rows.map((row) => Object.assign(row, { question: questions.get(row.questionId) as Question }));
  return grouped(inQuestionOrder(answers), (answer) => answer[subject]);
}

/** Sorts answers in the order in which their questions are asked. */
export function inQuestionOrder<Asked extends { readonly question: Question }>(answers: readonly Asked[]): Asked[] {
  return answers.toSorted(({ question: one }, { question: other }) => one.position - other.position || (one.id < other.id ? -1 : 1));
}
