import type { CustomFormProperty } from '../booking-answers.dto.js';
import type { WholeAnswer } from './answer-rows.js';

/**
 * Renders answers as a schema.org PropertyValue named `customForm` for `additionalProperty`.
 * @returns an empty list when there are no answers
 */
export function customFormOf(answers: readonly WholeAnswer[]): CustomFormProperty[] {
  if (answers.length === 0) return [];
  const value = answers.map(({ question, label, value: given }) => ({
    '@type': 'PropertyValue' as const,
    propertyID: question.name,
    name: label,
    value: given,
  }));
  return [{ '@type': 'PropertyValue', name: 'customForm', value }];
}
