import type { ApiPropertyOptions } from '@nestjs/swagger';
import { may, optionalText, type Text } from '#kernel';
import { texts } from '../locales/legacy-api.texts.js';

/** Forms send only text, and an empty one for fields that are not filled in. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A member that may be absent, null or empty. */
export function mayBeEmpty(
  code: string,
  check: (value: unknown) => boolean,
  sentence: Text,
  described?: ApiPropertyOptions,
): PropertyDecorator {
  return may(code, (value) => isEmpty(value) || check(value), sentence, described);
}

/** true or false, as JSON or as form text. */
export function optionalFlag(): PropertyDecorator {
  const sentence = texts.localized('formValues.notBoolean');
  return mayBeEmpty('isFlag', (value) => flag(value) !== undefined, sentence, {
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', '1', 'on', 'yes', 'false', '0', 'off', 'no', ''] }],
  });
}

/** A whole number up to a million, or its text. */
export function optionalWholeOrText(least: 0 | 1): PropertyDecorator {
  const sentence = texts.localized('formValues.notWholeNumber', { least });
  return mayBeEmpty('isWhole', (value) => /^(number|string)$/.test(typeof value) && isWhole(String(value), least), sentence, {
    anyOf: [
      { type: 'integer', minimum: least, maximum: 1_000_000 },
      { type: 'string', pattern: least === 0 ? '^\\d{0,6}$' : '^([1-9]\\d{0,5})?$' },
    ],
  });
}

export const optionalLongText = (): PropertyDecorator => optionalText(100_000);

/** @param value validated by `optionalFlag` @returns undefined when it is absent */
export function flagOf(value: unknown): boolean | undefined {
  return isEmpty(value) ? undefined : flag(value);
}

/** @param value validated by `optionalWholeOrText` */
export function wholeOf(value: unknown): number | null {
  return isEmpty(value) ? null : Number(value);
}

/** A text with a visible character, or null. */
export function textOf(value: string | null | undefined): string | null {
  return value?.trim() || null;
}

function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(true|1|on|yes)$/i.test(value)) return true;
  return /^(false|0|off|no)$/i.test(value) ? false : undefined;
}

function isWhole(text: string, least: number): boolean {
  return /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= 1_000_000;
}
