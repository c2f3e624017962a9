import { IsInt, IsOptional, Max, Min, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../text/language.js';
import { currentLanguage } from '../context/request-context.js';
import { controlsSentence, hasControls, isAtMost, isVisible } from './text-rules.js';

type Check = (value: unknown, body: object) => boolean;

/** A member of a body has to pass a check; if not, the fault says so in the language of the request. */
export function must(code: string, check: Check, sentence: Text): PropertyDecorator {
  return ValidateBy(
    { name: code, validator: { validate: (value, given) => check(value, given?.object ?? {}) } },
    { message: () => sentence[currentLanguage()] },
  );
}

/** A member that may be absent or null. */
export function may(code: string, check: Check, sentence: Text): PropertyDecorator {
  return all(IsOptional(), must(code, check, sentence));
}

/** The name of a property: one of those that are read. */
export function knownName(names: readonly string[]): PropertyDecorator {
  const list = names.join(', ');
  return must('isKnownName', (value) => names.includes(value as string), {
    en: `Send one of ${list}.`,
    fr: `Envoyez l'un de ${list}.`,
  });
}

/**
 * A text of so many characters without control characters; of one or more it shows something. The length is checked first. The check is
 * named like class-validator's own, by which the API document knows its limits.
 */
export function text(least: 0 | 1, most: number): PropertyDecorator {
  const message = (): string => (least === 0 ? sentences.text(most) : sentences.someText(most))[currentLanguage()];
  const length = ValidateBy(
    { name: 'isLength', constraints: [least, most], validator: { validate: (value) => isText(value, least, most) } },
    { message },
  );
  return all(
    length,
    must('isPlainText', (value) => !isText(value, least, most) || !hasControls(value), controlsSentence),
  );
}

export function optionalText(most: number): PropertyDecorator {
  return all(IsOptional(), text(0, most));
}

/** A whole number up to a million, or absent or null. */
export function optionalWhole(least: number): PropertyDecorator {
  const options = { message: () => sentences.whole(least)[currentLanguage()] };
  return all(IsOptional(), IsInt(options), Min(least, options), Max(1_000_000, options));
}

/**
 * A value that a body may spell in several ways: those that are sent must say the same. Stands at each of the members, so that each is
 * named as a fault. A spelling that is absent or null says nothing.
 * @param name what the spellings mean
 * @param spellings the value in each spelling, comparable by `isDeepStrictEqual`; called for bodies whose form is not checked yet
 */
export function sayTheSame(name: string, spellings: (body: object) => readonly unknown[]): PropertyDecorator {
  const agree = (body: object): boolean => {
    const [first, ...others] = spellings(body).filter((value) => !isNothing(value));
    return others.every((other) => isDeepStrictEqual(other, first));
  };
  return must('contradiction', (_, body) => agree(body), {
    en: `This body says in two ways, and differently, what ${name} is. Send one of them.`,
    fr: `Ce corps indique ${name} de deux façons différentes. N'en envoyez qu'une.`,
  });
}

/** A full http or https address, or absent or null. */
export function optionalWebAddress(): PropertyDecorator {
  return may('isWebAddress', isWebAddress, sentences.webAddress);
}

/** A full http or https address. */
export function webAddress(): PropertyDecorator {
  return must('isWebAddress', isWebAddress, sentences.webAddress);
}

/** What follows holds when the member is there; null is there. */
export function whenSent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A member that is an object with members of its own, or absent or null. */
export function mayHold(type: new () => object): PropertyDecorator {
  return all(
    ValidateNested(),
    Type(() => type),
    may('isObject', isObject, { en: 'Send an object.', fr: 'Envoyez un objet.' }),
  );
}

/** A member that is a list of objects with members of their own, or absent or null. */
export function mayList(
  type: new () => object,
  check: (items: readonly unknown[]) => boolean,
  sentence: Text,
): PropertyDecorator {
  const isList = (value: unknown): boolean =>
    Array.isArray(value) && value.length <= 50 && value.every(isObject) && check(value);
  return all(
    ValidateNested({ each: true }),
    Type(() => type),
    may('isPropertyList', isList, sentence),
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

/** Whether an object has no other members than these, beside the keywords of JSON-LD. */
export function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.entries(value).every(([name, member]) => names.includes(name) || isJsonLdKeyword(name, member));
}

/** Whether a member of a body is one of JSON-LD's own (`@context`, `@type`, `@id`), which every object may have. */
export function isJsonLdKeyword(name: string, value: unknown): boolean {
  return /^@(context|type|id)$/.test(name) && typeof value === 'string' && value.length <= 2000;
}

/** Whether a value is a text of at most so many characters that shows something, unless it may be empty. */
export function isText(value: unknown, least: 0 | 1, most: number): value is string {
  return typeof value === 'string' && isAtMost(value, most) && (least === 0 || isVisible(value));
}

/** The same without control characters. */
export function isPlainText(value: unknown, least: 0 | 1, most: number): value is string {
  return isText(value, least, most) && !hasControls(value);
}

/** Whether a value is a list of texts that fit a limit. */
export function isTextList(value: unknown, { entries, each }: { entries: number; each: number }): value is string[] {
  return Array.isArray(value) && value.length <= entries && value.every((item) => isPlainText(item, 1, each));
}

function isWebAddress(value: unknown): value is string {
  return isText(value, 1, 2000) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** The name of a property twice: which one would count? */
export function namesDiffer(items: readonly unknown[]): boolean {
  const names = items.map((item) => (item as { name: unknown }).name);
  return new Set(names).size === names.length;
}

/** What a member may at most be, as a fault says it. */
const sentences = {
  text: (most: number): Text => ({
    en: `Send a text of at most ${most} characters.`,
    fr: `Envoyez un texte de ${most} caractères au plus.`,
  }),
  someText: (most: number): Text => ({
    en: `Send a text of 1 to ${most} characters.`,
    fr: `Envoyez un texte de 1 à ${most} caractères.`,
  }),
  whole: (least: number): Text => ({
    en: `Send a whole number from ${least} to 1000000.`,
    fr: `Envoyez un nombre entier de ${least} à 1000000.`,
  }),
  webAddress: {
    en: 'Send a full address such as https://example.org/event.',
    fr: 'Envoyez une adresse complète telle que https://example.org/event.',
  },
} as const;
