import type { CustomFormProperty } from '../booking-answers.dto.js';
import type { WholeAnswer } from './answer-rows.js';

/**
 * Answers as a schema.org PropertyValue named `customForm`, to stand in `additionalProperty`.
 * @returns an empty list when there are none
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
