import { asciiWords, RefusedInput, RefusedInputs, type Text } from '#kernel';
import { questionKinds, questionScopes, type Question, type QuestionKind, type QuestionScope } from '../entities/question.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** A question as staff or an API client define it. */
export interface NewQuestion {
  /** Id of the question to change; without it the name, or the label, finds one. */
  readonly id?: string;
  /** Default: derived from the label. */
  readonly name?: string;
  readonly label: string;
  readonly help?: string | null;
  readonly kind: QuestionKind;
  /** Default: once per reservation. */
  readonly scope?: QuestionScope;
  readonly required?: boolean;
  /** For a choice: its values in order. */
  readonly choices?: readonly string[];
}

/** Limits of definitions; characters, and entries of lists. */
export const questionLimits = { questions: 30, label: 200, help: 500, name: 60, choices: 50, choice: 100 } as const;

/** Limits of answers, in characters. */
export const answerLimits = { text: 300, long_text: 2000 } as const satisfies Partial<Record<QuestionKind, number>>;

export const isQuestionName = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= questionLimits.name && /^[a-z0-9][a-z0-9_-]*$/.test(text);

export const hasChoices = (kind: unknown): boolean => kind === 'choice' || kind === 'multiple_choice';

/** `Prénom de l'enfant` → `prenom-de-l-enfant`; a label without letters and digits gives `question`. */
export function questionNameOf(label: string): string {
  return asciiWords(label.slice(0, questionLimits.label), questionLimits.name - 4) || 'question';
}

/** @throws RefusedInputs on `<index>/label`, `<index>/kind` and so on, with all faults */
export function checkQuestions(questions: readonly NewQuestion[]): void {
  const faults = questions
    .slice(0, questionLimits.questions)
    .flatMap((question, index) => faultsOf(question).map(([member, text]) => new RefusedInput(`${index}/${member}`, text)));
  const names = questions.map(({ name }) => name);
  for (const [index, name] of names.entries())
    if (name !== undefined && names.indexOf(name) < index) faults.push(new RefusedInput(`${index}/name`, sentences.twice));
  if (questions.length > questionLimits.questions) faults.push(new RefusedInput('', sentences.tooMany));
  if (faults.length > 0) throw new RefusedInputs(faults);
}

function faultsOf({ name, label, help, kind, scope, choices = [] }: NewQuestion): [string, Text][] {
  const faults: [string, Text | false][] = [
    ['name', name !== undefined && !isQuestionName(name) && sentences.name],
    ['label', (!label.trim() || label.length > questionLimits.label) && sentences.label],
    ['help', (help ?? '').length > questionLimits.help && sentences.help],
    ['kind', !Object.hasOwn(questionKinds, kind) && sentences.kind],
    ['scope', scope !== undefined && !Object.hasOwn(questionScopes, scope) && sentences.scope],
    ['choices', hasChoices(kind) ? !areChoices(choices) && sentences.choices : choices.length > 0 && sentences.noChoices],
  ];
  return faults.filter((fault): fault is [string, Text] => fault[1] !== false);
}

function areChoices(choices: readonly string[]): boolean {
  const known = new Set(choices.map((choice) => choice.trim()));
  const fit = choices.every((choice) => choice.trim() && choice.length <= questionLimits.choice);
  return fit && known.size === choices.length && choices.length > 0 && choices.length <= questionLimits.choices;
}

/** The columns that a definition sets. */
export function columnsOf(question: NewQuestion, position: number): Partial<Question> {
  return {
    label: question.label.trim(),
    help: question.help?.trim() || null,
    kind: question.kind,
    scope: question.scope ?? 'reservation',
    required: question.required ?? false,
    choices: (question.choices ?? []).map((choice) => choice.trim()),
    position,
  };
}

const { questions, label, help, name, choices, choice } = questionLimits;
const sentences = {
  tooMany: texts.localized('questionRules.tooMany', { questions }),
  twice: texts.localized('questionRules.nameTaken'),
  name: texts.localized('questionRules.name', { name }),
  label: texts.localized('questionRules.label', { label }),
  help: texts.localized('questionRules.help', { help }),
  kind: texts.localized('questionRules.kind'),
  scope: texts.localized('questionRules.scope'),
  choices: texts.localized('questionRules.choices', { choices, choice }),
  noChoices: texts.localized('questionRules.noChoices'),
} as const satisfies Record<string, Text>;
