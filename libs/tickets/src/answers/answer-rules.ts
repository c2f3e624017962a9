import { answerLimits, type Question, type QuestionKind } from '#catalogue';
import { RefusedInput, type Text } from '#kernel';
import type { AnswerValue } from '../entities/answer.entity.js';
import { texts } from '../locales/tickets.texts.js';

/** The answers of a request, by name or id of the question. null and empty values count as not answered. */
export type GivenAnswers = ReadonlyMap<string, unknown>;

/** An answer that is invalid, missing, or has no question. `field` is `answers.<name>` or `tickets.<line>.answers.<name>`. */
export class RefusedAnswer extends RefusedInput {
  constructor(
    at: string,
    name: string,
    override readonly code: keyof typeof refusals | 'isAnswer',
    text: Text = refusals[code as keyof typeof refusals],
  ) {
    super(`${at}answers.${name}`, text);
  }
}

const refusals = {
  isAnswered: texts.localized('answerRules.required'),
  isQuestion: texts.localized('answerRules.unknownQuestion'),
} as const satisfies Record<string, Text>;

/** The answer given to a question, found by its name or its id. */
export function givenTo(question: Question, given: GivenAnswers | undefined): unknown {
  return given?.get(question.name) ?? given?.get(question.id) ?? undefined;
}

/** Validates an answer. @returns `value`: the answer to store; `fault`: a text for the user when it is invalid; neither when it is empty */
export function readAnswer(question: Question, given: unknown): Reading {
  if (given === undefined || given === null) return {};
  const text = typeof given === 'number' && Number.isFinite(given) ? String(given) : given;
  if (typeof text === 'string' && text.trim() === '') return {};
  return readers[question.kind](text, question);
}

type Reading = { value?: AnswerValue; fault?: Text };
const readers: Readonly<Record<QuestionKind, (given: unknown, question: Question) => Reading>> = {
  text: (given) => readText(given, answerLimits.text, false),
  long_text: (given) => readText(given, answerLimits.long_text, true),
  choice: (given, { choices }) => {
    const value = choices.find((choice) => choice === (typeof given === 'string' ? given.trim() : given));
    return value === undefined ? { fault: sentences.choice } : { value };
  },
  multiple_choice: (given, { choices }) => readChoices(choices, Array.isArray(given) ? given : [given]),
  yes_no: (given) => {
    const value = typeof given === 'object' ? undefined : words.get(String(given).trim().toLowerCase());
    return value === undefined ? { fault: sentences.yesNo } : { value };
  },
};

function readText(text: unknown, longest: number, hasLines: boolean): { value?: string; fault?: Text } {
  if (typeof text !== 'string' || text.length > longest) return { fault: sentences.text(longest) };
  const value = text.replaceAll('\r\n', '\n').trim();
  // oxlint-disable-next-line no-control-regex -- the expression looks for them
  if ((hasLines ? /[\u0000-\u0008\u000b-\u001f\u007f]/ : /[\u0000-\u001f\u007f]/).test(value)) {
    return { fault: hasLines ? sentences.controls : sentences.line };
  }
  return { value };
}

/** Returns the chosen values in the order of the question's choices. */
function readChoices(choices: readonly string[], given: readonly unknown[]): { value?: string[]; fault?: Text } {
  const chosen = new Set(given.map((one) => (typeof one === 'string' ? one.trim() : one)));
  const value = choices.filter((choice) => chosen.has(choice));
  if (value.length < chosen.size) return { fault: sentences.choices };
  return value.length === 0 ? {} : { value };
}

/** Spellings of yes and no in JSON and in English and French forms. */
const words = new Map([
  ...['true', 'on', '1', 'yes', 'oui'].map((word) => [word, true] as const),
  ...['false', 'off', '0', 'no', 'non'].map((word) => [word, false] as const),
]);

const sentences = {
  text: (longest: number): Text => texts.localized('answerRules.tooLong', { longest }),
  line: texts.localized('answerRules.oneLine'),
  controls: texts.localized('answerRules.controlCharacters'),
  choice: texts.localized('answerRules.choice'),
  choices: texts.localized('answerRules.choices'),
  yesNo: texts.localized('answerRules.yesNo'),
};

/** Whether a value satisfies a required question: a required yes-no question needs a yes, like a checkbox that must be ticked. */
export function isAnswered(value: AnswerValue | undefined): boolean {
  return value !== undefined && value !== false;
}
