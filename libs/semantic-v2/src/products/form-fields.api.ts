import { questionLimits, questionScopes } from '#catalogue';
import { objectSchema, schemaOf, type JsonSchema } from '#http';
import { nullable } from '../shared/schemas.js';
import { fieldTypeWords } from './form-fields.dto.js';

const { uuid, text, boolean } = schemaOf;
const askedPer = Object.keys(questionScopes);
const nameText = {
  ...text,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  maxLength: questionLimits.name,
  description: 'Key of its answer in `customForm`: made of the first label.',
};

/** A question as products answer it. */
export const formField: JsonSchema = objectSchema(
  {
    identifier: uuid,
    name: nameText,
    label: text,
    fieldType: { enum: fieldTypeWords.filter((type) => type !== 'radioSelect') },
    required: boolean,
    options: { type: 'array', items: text, description: 'Of a select.' },
    order: { type: 'integer', minimum: 1 },
    helpText: text,
    askedPer: { enum: askedPer },
  },
  { optional: ['options', 'helpText'] },
);

/** Questions as bodies send them. */
export const newFormFields: JsonSchema = nullable({
  type: 'array',
  maxItems: questionLimits.questions,
  description:
    'Questions that buyers are asked. May also be the value of `formFields` in `additionalProperty`. What is there already is found by its identifier, else by its name or label.',
  items: {
    type: 'object',
    properties: {
      identifier: nullable({ ...uuid, description: 'Of the question to change.' }),
      name: nullable(nameText),
      label: { ...text, minLength: 1, maxLength: questionLimits.label },
      fieldType: { ...text, description: `${fieldTypeWords.join(', ')}; singleSelect and radioSelect are the same.` },
      required: nullable({ ...boolean, default: false }),
      options: nullable({
        type: 'array',
        maxItems: questionLimits.choices,
        items: { ...text, minLength: 1, maxLength: questionLimits.choice },
        description: 'What a select offers; required there, and not allowed elsewhere.',
      }),
      order: nullable({ type: 'integer', description: 'Default: the place in this list.' }),
      helpText: nullable({ ...text, maxLength: questionLimits.help }),
      askedPer: nullable({ enum: askedPer, default: 'reservation' }),
    },
    required: ['label', 'fieldType'],
  },
});
