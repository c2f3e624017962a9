import {
  hasChoices,
  isQuestionName,
  questionLimits,
  questionScopes,
  type NewQuestion,
  type Question,
  type QuestionKind,
  type QuestionScope,
} from '#catalogue';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { isNothing, isObject, isTextList, may, mayBeUuid, must, optionalText, present, text } from '#kernel';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { texts } from '../locales/semantic-v2.texts.js';

/** `fieldType` of each kind of question. The reference has two names for single choices; both are the same kind here. */
const fieldTypes = {
  text: 'shortText',
  long_text: 'longText',
  choice: 'singleSelect',
  multiple_choice: 'multiSelect',
  yes_no: 'boolean',
} as const satisfies Record<QuestionKind, string>;

const kinds = new Map(
  [...Object.entries(fieldTypes), ['choice', 'radioSelect'] as const].map(([kind, type]) => [type.toLowerCase(), kind as QuestionKind]),
);

/** Accepted values of `fieldType`. */
export const fieldTypeWords = [...Object.values(fieldTypes), 'radioSelect'];

const kindOf = (value: unknown): QuestionKind | undefined =>
  typeof value === 'string' ? kinds.get(value.trim().toLowerCase()) : undefined;

const { label, help, name, choices, choice, questions } = questionLimits;

function areOptions(value: unknown, body: object): boolean {
  const given = isNothing(value) ? [] : value;
  if (!hasChoices(kindOf((body as FormFieldBody).fieldType))) return Array.isArray(given) && given.length === 0;
  const trimmed = isTextList(given, { entries: choices, each: choice }) ? given.map((one) => one.trim()) : [];
  return trimmed.length > 0 && new Set(trimmed).size === trimmed.length;
}

const nameText = {
  type: String,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  maxLength: name,
  description: 'Key of its answer in `customForm`: made of the first label.',
};

/** A question of a product. */
export class FormFieldBody {
  @ApiProperty({ description: 'Of the question to change.' })
  @mayBeUuid()
  identifier?: string | null;

  @may('isFieldName', isQuestionName, texts.localized('formFields.nameInvalid', { name }))
  @ApiProperty(nameText)
  name?: string | null;

  @text(1, label)
  label!: string;

  @must(
    'isFieldType',
    (value) => kindOf(value) !== undefined,
    texts.localized('formFields.typeInvalid', { fieldTypeWords: fieldTypeWords.join(', ') }),
  )
  @ApiProperty({ enum: fieldTypeWords, description: 'In any case; singleSelect and radioSelect are the same.' })
  fieldType!: string;

  @ApiProperty({ type: Boolean, default: false })
  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('formFields.notBoolean'))
  required?: boolean | null;

  // Required for choices, because a choice without options cannot be answered.
  @must('isOptionList', areOptions, texts.localized('formFields.choicesInvalid', { choices, choice }))
  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: choice },
    maxItems: choices,
    uniqueItems: true,
    required: false,
    nullable: true,
    description: 'What a select offers; required there, and not allowed elsewhere.',
  })
  options?: string[] | null;

  @may(
    'isOrder',
    (value) => Number.isInteger(value) && Math.abs(value as number) <= 1_000_000,
    texts.localized('formFields.positionInvalid'),
  )
  @ApiProperty({ type: 'integer', minimum: -1_000_000, maximum: 1_000_000, description: 'Default: the place in this list.' })
  order?: number | null;

  @optionalText(help)
  helpText?: string | null;

  @may(
    'isAskedPer',
    (value) => typeof value === 'string' && Object.hasOwn(questionScopes, value),
    texts.localized('formFields.scopeInvalid'),
  )
  @ApiProperty({ enum: Object.keys(questionScopes), default: 'reservation' })
  askedPer?: string | null;
}

/** Optional list of questions; may be null. */
export function mayHaveFormFields(): PropertyDecorator {
  return applyDecorators(
    ValidateNested({ each: true }),
    Type(() => FormFieldBody),
    may(
      'isFormFields',
      (value) => Array.isArray(value) && value.length <= questions && value.every(isObject),
      texts.localized('formFields.listInvalid', { questions }),
    ),
    ApiProperty({
      type: () => [FormFieldBody],
      maxItems: questions,
      description:
        'Questions that buyers are asked. May also be the value of `formFields` in `additionalProperty`. What is there already is ' +
        'found by its identifier, else by its name or label.',
    }),
  );
}

/** `formFields` inside `additionalProperty`, as the reference sends it. */
export class FormFieldsPropertyBody {
  @ApiProperty({ enum: ['formFields'] })
  @text(1, 200)
  name!: string;

  @mayHaveFormFields()
  value?: FormFieldBody[] | null;
}

/** The questions in order, each with its index in the body for error pointers. */
export function toQuestions(fields: readonly FormFieldBody[]): { questions: NewQuestion[]; places: number[] } {
  const placed = fields.map((field, index) => ({ field, index, order: field.order ?? index + 1 }));
  const sorted = placed.toSorted((one, other) => one.order - other.order || one.index - other.index);
  return { questions: sorted.map(({ field }) => toQuestion(field)), places: sorted.map(({ index }) => index) };
}

function toQuestion(field: FormFieldBody): NewQuestion {
  return {
    ...(field.identifier && { id: field.identifier.toLowerCase() }),
    ...(field.name && { name: field.name }),
    label: field.label,
    help: field.helpText ?? null,
    kind: kindOf(field.fieldType) as QuestionKind,
    scope: (field.askedPer ?? 'reservation') as QuestionScope,
    required: field.required ?? false,
    choices: field.options ?? [],
  };
}

/** A question in answers of products. */
@ApiModel('FormField')
export class FormField {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(nameText)
  readonly name!: string;

  @ApiProperty(formats.text)
  readonly label!: string;

  @ApiProperty({ enum: Object.values(fieldTypes) })
  readonly fieldType!: string;

  @ApiProperty(formats.boolean)
  readonly required!: boolean;

  @ApiPropertyOptional({ type: [String], description: 'Of a select.' })
  readonly options?: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 1 })
  readonly order!: number;

  @ApiPropertyOptional(formats.text)
  readonly helpText?: string;

  @ApiProperty({ enum: Object.keys(questionScopes) })
  readonly askedPer!: QuestionScope;
}

/** Renders a question. */
export function toFormField(question: Question, index: number): FormField {
  return present({
    identifier: question.id,
    name: question.name,
    label: question.label,
    fieldType: fieldTypes[question.kind],
    required: question.required,
    options: hasChoices(question.kind) ? question.choices : undefined,
    order: index + 1,
    helpText: question.help,
    askedPer: question.scope,
  });
}

/** Members of the body for the fields of {@link NewQuestion}. */
const members: Readonly<Record<keyof NewQuestion, string>> = {
  id: 'identifier',
  name: 'name',
  label: 'label',
  required: 'required',
  help: 'helpText',
  kind: 'fieldType',
  scope: 'askedPer',
  choices: 'options',
};

/** JSON pointers of the fields of questions. @param at pointer of the list */
export function formFieldPointers(fields: readonly FormFieldBody[], at: string): Record<string, string> {
  const pointers = toQuestions(fields).places.flatMap((place, index) =>
    Object.entries(members).map(([member, spelled]) => [`questions/${index}/${member}`, `${at}/${place}/${spelled}`]),
  );
  return { ...(Object.fromEntries(pointers) as Record<string, string>), 'questions/': at };
}
