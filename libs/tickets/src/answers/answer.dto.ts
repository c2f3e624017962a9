import type { CustomFormProperty } from '../answer-parts.dto.js';
import type { WholeAnswer } from './answer-rows.js';

/** An answer with the name of its question. */
type FormAnswer = Pick<WholeAnswer, 'label' | 'value'> & { readonly question: Pick<WholeAnswer['question'], 'name'> };

/**
 * Renders answers as a schema.org PropertyValue named `customForm` for `additionalProperty`.
 * @returns an empty list when there are no answers
 */
export function customFormOf(answers: readonly FormAnswer[]): CustomFormProperty[] {
  if (answers.length === 0) return [];
  const value = answers.map(({ question, label, value: given }) => ({
    '@type': 'PropertyValue' as const,
    propertyID: question.name,
    name: label,
    value: given,
  }));
  return [{ '@type': 'PropertyValue', name: 'customForm', value }];
}
