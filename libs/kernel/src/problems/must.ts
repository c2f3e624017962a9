import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../locales/language.js';
import { currentLanguage } from '../context/request-context.js';
import { controlsSentence, hasControls, isAtMost, isVisible } from './text-rules.js';
import { texts } from '../locales/kernel.texts.js';

type Check = (value: unknown, body: object) => boolean;

/**
 * Requires a member of a body to pass a check; a failure is reported in the language of the request.
 * @param described description in the API document; `@ApiProperty` on the member adds to it
 */
export function must(code: string, check: Check, sentence: Text, described: ApiPropertyOptions = {}): PropertyDecorator {
  const validate = ValidateBy(
    { name: code, validator: { validate: (value, given) => check(value, given?.object ?? {}) } },
    { message: () => sentence[currentLanguage()] },
  );
  return all(validate, ApiProperty(described));
}

/** Like `must` for a member that may be absent or null. */
export function may(code: string, check: Check, sentence: Text, described: ApiPropertyOptions = {}): PropertyDecorator {
  return all(optional(), must(code, check, sentence, described));
}

/** A member that may be absent or null. */
export function optional(): PropertyDecorator {
  return all(IsOptional(), ApiProperty({ required: false, nullable: true }));
}

/** The name of a property must be one of these. */
export function knownName(names: readonly string[]): PropertyDecorator {
  const list = names.join(', ');
  const sentence = texts.localized('must.beOneOf', { list });
  return must('isKnownName', (value) => names.includes(value as string), sentence, { type: String, enum: [...names] });
}

/**
 * A text of `least` to `most` characters without control characters; with `least` 1 it must contain a visible character. The length is
 * checked first.
 */
export function text(least: 0 | 1, most: number): PropertyDecorator {
  const message = (): string => (least === 0 ? sentences.text(most) : sentences.someText(most))[currentLanguage()];
  const length = ValidateBy(
    { name: 'isLength', constraints: [least, most], validator: { validate: (value) => isText(value, least, most) } },
    { message },
  );
  return all(
    length,
    ApiProperty({ type: String, maxLength: most, ...(least === 1 && { minLength: 1 }) }),
    must('isPlainText', (value) => !isText(value, least, most) || !hasControls(value), controlsSentence),
  );
}

export function optionalText(most: number): PropertyDecorator {
  return all(optional(), text(0, most));
}

/** A whole number from `least` to a million, or absent or null. */
export function optionalWhole(least: number): PropertyDecorator {
  const options = { message: () => sentences.whole(least)[currentLanguage()] };
  const described = ApiProperty({ type: 'integer', minimum: least, maximum: 1_000_000 });
  return all(optional(), IsInt(options), Min(least, options), Max(1_000_000, options), described);
}

/**
 * A value that a body may contain under several names: all that are sent must be equal. Put it on each of the members, so that each is
 * reported. A member that is absent or null is ignored.
 * @param name the meaning of the members
 * @param spellings returns the value of each member, comparable by `isDeepStrictEqual`; also called for bodies that are not validated yet
 */
export function sayTheSame(name: string, spellings: (body: object) => readonly unknown[]): PropertyDecorator {
  const agree = (body: object): boolean => {
    const [first, ...others] = spellings(body).filter((value) => !isNothing(value));
    return others.every((other) => isDeepStrictEqual(other, first));
  };
  return must('contradiction', (_, body) => agree(body), texts.localized('must.beUnambiguous', { name }));
}

const webAddressSchema: ApiPropertyOptions = { type: String, format: 'uri', maxLength: 2000 };

/** A full http or https address, or absent or null. */
export function optionalWebAddress(): PropertyDecorator {
  return may('isWebAddress', isWebAddress, sentences.webAddress, webAddressSchema);
}

/** A full http or https address. */
export function webAddress(): PropertyDecorator {
  return must('isWebAddress', isWebAddress, sentences.webAddress, webAddressSchema);
}

/** The validators below apply only when the member is present; null counts as present. */
export function whenSent(): PropertyDecorator {
  return all(
    ValidateIf((_, value) => value !== undefined),
    ApiProperty({ required: false }),
  );
}

/** An object that is validated as `type`, or absent or null. */
export function mayHold(type: new () => object): PropertyDecorator {
  return all(
    ValidateNested(),
    Type(() => type),
    may('isObject', isObject, texts.localized('must.beObject'), { type: () => type }),
  );
}

/** A list of objects that are each validated as `type`, or absent or null. */
export function mayList(type: new () => object, check: (items: readonly unknown[]) => boolean, sentence: Text): PropertyDecorator {
  const isList = (value: unknown): boolean => Array.isArray(value) && value.length <= 50 && value.every(isObject) && check(value);
  return all(
    ValidateNested({ each: true }),
    Type(() => type),
    may('isPropertyList', isList, sentence, { type: () => [type], maxItems: 50 }),
  );
}

function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, name) => {
    for (const decorate of decorators) decorate(target, name);
  };
}

export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has only these members and the keywords of JSON-LD. */
export function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.entries(value).every(([name, member]) => names.includes(name) || isJsonLdKeyword(name, member));
}

/** Whether a member is a JSON-LD keyword (`@context`, `@type`, `@id`), which every object may have. */
export function isJsonLdKeyword(name: string, value: unknown): boolean {
  return /^@(context|type|id)$/.test(name) && typeof value === 'string' && value.length <= 2000;
}

/** Whether a value is a text of at most `most` characters; with `least` 1 it must contain a visible character. */
export function isText(value: unknown, least: 0 | 1, most: number): value is string {
  return typeof value === 'string' && isAtMost(value, most) && (least === 0 || isVisible(value));
}

/** Like `isText`, and without control characters. */
export function isPlainText(value: unknown, least: 0 | 1, most: number): value is string {
  return isText(value, least, most) && !hasControls(value);
}

/** Whether a value is a list of texts within a limit. */
export function isTextList(value: unknown, { entries, each }: { entries: number; each: number }): value is string[] {
  return Array.isArray(value) && value.length <= entries && value.every((item) => isPlainText(item, 1, each));
}

/** Whether a value is a full http or https address. */
export function isWebAddress(value: unknown): value is string {
  return isText(value, 1, 2000) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Whether no property name occurs twice: it would be ambiguous which one counts. */
export function namesDiffer(items: readonly unknown[]): boolean {
  const names = items.map((item) => (item as { name: unknown }).name);
  return new Set(names).size === names.length;
}

/** Sentences about the maximum of a member. */
const sentences = {
  text: (most: number): Text => texts.localized('must.beText', { most }),
  someText: (most: number): Text => texts.localized('must.beFilledText', { most }),
  whole: (least: number): Text => texts.localized('must.beWholeNumber', { least }),
  webAddress: texts.localized('must.beWebAddress'),
} as const;
