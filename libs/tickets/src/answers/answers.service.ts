import type { Question } from '#catalogue';
import { Injectable } from '@nestjs/common';
import { RefusedInputs, retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { readAnswer, RefusedAnswer } from './answer-rules.js';
import { askedBy, keepAnswers, loadAnswers, type AnswerSubject } from './answer-rows.js';
import type { NewAnswer } from './answer-rows.js';
import type { AnswerValue } from '../entities/answer.entity.js';

/** A question for a reservation, one of its tickets, or a membership, with its answer. */
export interface AskedQuestion {
  readonly question: Question;
  /** null: the question is asked once, not for each ticket. */
  readonly ticket: { readonly id: string; readonly firstName: string; readonly lastName: string } | null;
  readonly value: AnswerValue | undefined;
}

interface SubjectTicket {
  readonly id: string;
  readonly productId: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Lets staff read and change answers after the booking. */
@Injectable()
export class AnswersService {
  constructor(private readonly db: TenantDb) {}

  /**
   * The current questions with their answers: first those asked once, then those of each ticket that is not cancelled. Empty when the
   * reservation or membership does not exist.
   */
  asked(subject: AnswerSubject): Promise<AskedQuestion[]> {
    return this.db.transaction((tx) => askedOf(tx, subject));
  }

  /**
   * Replaces the answers to all current questions. Required questions may stay unanswered. Answers to archived questions are kept.
   * @param given answers by `<question id>` or `<ticket id>.<question id>`
   * @throws RefusedInputs of RefusedAnswer on `answers.<key>`
   */
  change(subject: AnswerSubject, given: ReadonlyMap<string, unknown>): Promise<void> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const asked = await askedOf(tx, subject);
        await lockSubject(tx, subject);
        const faults: RefusedAnswer[] = [];
        const answers = asked.flatMap(({ question, ticket }): NewAnswer[] => {
          const { id: questionId, label } = question;
          const key = ticket ? `${ticket.id}.${questionId}` : questionId;
          const { value, fault } = readAnswer(question, given.get(key));
          if (fault) faults.push(new RefusedAnswer('', key, 'isAnswer', fault));
          return value === undefined ? [] : [{ questionId, ticketId: ticket?.id ?? null, label, value }];
        });
        if (faults.length > 0) throw new RefusedInputs(faults);
        await forget(tx, subject, asked);
        await keepAnswers(tx, subject, answers);
      }),
    );
  }
}

async function askedOf(tx: Tx, subject: AnswerSubject): Promise<AskedQuestion[]> {
  const [kind, id] = keyOf(subject);
  const tickets = await ticketsOf(tx, subject);
  const questions = await askedBy(tx, [...new Set(tickets.map(({ productId }) => productId))]);
  const answers = (await loadAnswers(tx, kind, [id])).get(id) ?? [];
  const asked = (question: Question, ticket: AskedQuestion['ticket']): AskedQuestion => ({
    question,
    ticket,
    value: answers.find(({ questionId, ticketId }) => questionId === question.id && ticketId === (ticket?.id ?? null))?.value,
  });
  const isOnce = ({ scope }: Question): boolean => kind === 'membershipId' || scope === 'reservation';
  return [
    ...questions.filter(isOnce).map((question) => asked(question, null)),
    ...tickets.flatMap(({ productId, ...ticket }) =>
      questions.filter((question) => !isOnce(question) && question.productId === productId).map((question) => asked(question, ticket)),
    ),
  ];
}

async function ticketsOf(tx: Tx, subject: AnswerSubject): Promise<SubjectTicket[]> {
  const [kind, id] = keyOf(subject);
  if (kind === 'membershipId') {
    return tx.query(`select id, product_id as "productId", '' as "firstName", '' as "lastName" from membership where id = $1`, [id]);
  }
  return tx.query(
    `select ticket.id, price.product_id as "productId", ticket.first_name as "firstName", ticket.last_name as "lastName"
     from ticket join price on price.id = ticket.price_id
     where ticket.reservation_id = $1 and ticket.status <> 'R' order by ticket.position, ticket.id`,
    [id],
  );
}

/** Serialises concurrent changes of the same answers. */
async function lockSubject(tx: Tx, subject: AnswerSubject): Promise<void> {
  const [kind, id] = keyOf(subject);
  await tx.query(`select from ${kind === 'membershipId' ? 'membership' : 'reservation'} where id = $1 for no key update`, [id]);
}

async function forget(tx: Tx, subject: AnswerSubject, asked: readonly AskedQuestion[]): Promise<void> {
  const [kind, id] = keyOf(subject);
  await tx.query(
    `delete from answer using unnest($2::uuid[], $3::uuid[]) as asked (question_id, ticket_id)
     where answer.${kind === 'membershipId' ? 'membership_id' : 'reservation_id'} = $1
       and answer.question_id = asked.question_id and answer.ticket_id is not distinct from asked.ticket_id`,
    [id, asked.map(({ question }) => question.id), asked.map(({ ticket }) => ticket?.id ?? null)],
  );
}

const keyOf = (subject: AnswerSubject): ['reservationId' | 'membershipId', string] =>
  'reservationId' in subject ? ['reservationId', subject.reservationId] : ['membershipId', subject.membershipId];
