import { amountPattern, isAmount } from '#catalogue';
import { isUuid, may } from '#kernel';
import { dateTimePattern, instantOf } from './date-time.js';
import { texts } from '../locales/semantic-v2.texts.js';

/** Whether a value is a list of up to 50 identifiers. */
export const isIds = (value: unknown): boolean => Array.isArray(value) && value.length <= 50 && value.every(isUuid);
/** An optional list of identifiers. */
export const idsMember = (description: string): PropertyDecorator =>
  may('isUuidList', isIds, texts.localized('codeBody.idsInvalid'), {
    type: 'array',
    maxItems: 50,
    items: { type: 'string', format: 'uuid' },
    description,
  });
/** An optional date with time and zone. */
export const instantMember = (description: string): PropertyDecorator =>
  may('isDateTime', (value) => instantOf(value) !== undefined, texts.localized('eventBody.startInvalid'), {
    type: String,
    pattern: dateTimePattern,
    description,
  });
/** An optional amount, as number or decimal text. */
export const amountMember = (description: string): PropertyDecorator =>
  may('isAmount', isAmount, texts.localized('offerBody.amountInvalid'), {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 99_999_999.99 },
      { type: 'string', pattern: amountPattern },
    ],
    description,
  });
/** An optional switch. */
export const switchMember = (described: { readonly default: boolean; readonly description?: string }): PropertyDecorator =>
  may('isBoolean', (value) => typeof value === 'boolean', texts.localized('offerBody.notBoolean'), { type: Boolean, ...described });
