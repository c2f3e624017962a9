import type { Question } from '#catalogue';
import { RefusedInputs } from '#kernel';
import { givenTo, isAnswered, readAnswer, RefusedAnswer, type GivenAnswers } from './answer-rules.js';
import type { GivenAnswer, WholeAnswer } from './answer-rows.js';

/** A line of a reservation: tickets of one product, and answers that apply to each of them. */
export interface AnsweredLine {
  readonly productId: string;
  readonly ticketIds: readonly string[];
  readonly answers?: GivenAnswers | undefined;
}

interface Answering {
  /** Treats required questions as optional, for sales by staff. */
  readonly allOptional?: boolean | undefined;
}

/**
 * Validates the answers of a reservation. An answer given for the whole reservation also applies to each ticket whose line has none.
 * @param questions of all products of the lines
 * @throws RefusedInputs of {@link RefusedAnswer}, with every fault
 */
export function answersOfReservation(
  questions: readonly Question[],
  given: GivenAnswers | undefined,
  lines: readonly AnsweredLine[],
  { allOptional = false }: Answering = {},
): GivenAnswer[] {
  const sheet = new AnswerSheet(allOptional);
  sheet.refuseUnknown('', given, questions);
  for (const question of questions.filter(({ scope }) => scope === 'reservation')) sheet.read('', question, given);
  for (const [index, { productId, ticketIds, answers }] of lines.entries()) {
    const asked = questions.filter((question) => question.scope === 'ticket' && question.productId === productId);
    const at = `tickets.${index}.`;
    sheet.refuseUnknown(at, answers, asked);
    for (const question of asked) {
      const own = givenTo(question, answers) !== undefined;
      if (own || givenTo(question, given) === undefined) sheet.read(at, question, answers, ticketIds);
      else sheet.read('', question, given, ticketIds);
    }
  }
  return sheet.finish();
}

/** Validates the answers of a membership; each question is asked once. @throws RefusedInputs of {@link RefusedAnswer}, with every fault */
export function answersOfMembership(
  questions: readonly Question[],
  given: GivenAnswers | undefined,
  { allOptional = false }: Answering = {},
): GivenAnswer[] {
  const sheet = new AnswerSheet(allOptional);
  sheet.refuseUnknown('', given, questions);
  for (const question of questions) sheet.read('', question, given);
  return sheet.finish();
}

/** The answers that are still valid for questions that are still asked; a renewal reuses them. */
export function answersAgain(answers: readonly WholeAnswer[]): GivenAnswers {
  const fit = answers.filter(({ question, value }) => question.archivedAt === null && readAnswer(question, value).value !== undefined);
  return new Map(fit.map(({ questionId, value }) => [questionId, value]));
}

/** Collects answers and faults. */
class AnswerSheet {
  private readonly answers: GivenAnswer[] = [];
  private readonly faults = new Map<string, RefusedAnswer>();

  constructor(private readonly allOptional: boolean) {}

  refuseUnknown(at: string, given: GivenAnswers | undefined, asked: readonly Question[]): void {
    const known = new Set(asked.flatMap(({ id, name }) => [id, name]));
    for (const name of given?.keys() ?? []) if (!known.has(name)) this.fault(new RefusedAnswer(at, name, 'isQuestion'));
  }

  read(at: string, question: Question, given: GivenAnswers | undefined, ticketIds: readonly (string | null)[] = [null]): void {
    const { id: questionId, name, label, required } = question;
    const { value, fault } = readAnswer(question, givenTo(question, given));
    const spelled = given?.has(name) === false && given.has(questionId) ? questionId : name;
    if (fault) this.fault(new RefusedAnswer(at, spelled, 'isAnswer', fault));
    else if (required && !this.allOptional && !isAnswered(value)) this.fault(new RefusedAnswer(at, spelled, 'isAnswered'));
    if (value === undefined) return;
    for (const ticketId of ticketIds) this.answers.push({ questionId, ticketId, label, value, question });
  }

  finish(): GivenAnswer[] {
    if (this.faults.size > 0) throw new RefusedInputs([...this.faults.values()]);
    return this.answers;
  }

  private fault(fault: RefusedAnswer): void {
    if (!this.faults.has(fault.field)) this.faults.set(fault.field, fault);
  }
}
