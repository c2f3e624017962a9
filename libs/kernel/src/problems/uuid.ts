import type { Text } from '../locales/language.js';
import { texts } from '../locales/kernel.texts.js';
import { may, must } from './must.js';

/** Source of a regular expression for a UUID of any version, in upper or lower case; for use in longer expressions. */
export const uuidPattern = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const wholeUuid = new RegExp(`^${uuidPattern}$`);

/** Whether a value is a UUID as text, which PostgreSQL accepts for a column of type uuid. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && wholeUuid.test(value);
}

const uuidSchema = { type: String, format: 'uuid' };
const anyUuid: Text = texts.localized('uuid.invalid');

/** The member must be a UUID. */
export function mustBeUuid(sentence = anyUuid): PropertyDecorator {
  return must('isUuid', isUuid, sentence, uuidSchema);
}

/** The member must be a UUID, or absent or null. */
export function mayBeUuid(sentence = anyUuid): PropertyDecorator {
  return may('isUuid', isUuid, sentence, uuidSchema);
}
