import { applyDecorators, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { IsISO8601, Matches, validate, type ValidationError } from 'class-validator';
import { kernelProblem as problem, ignoreMember, isJsonLdKeyword, isLenient, currentLanguage } from '#kernel';
import type { Text, BodyFault, Problem } from '#kernel';
import { texts } from '../locales/http.texts.js';
import { foundFormOf, originalPointer, type FoundForm } from '../leniency/found-bodies.js';
import { keepValidationMetadata } from './validation-metadata.js';

keepValidationMetadata();

type Constructor = new () => object;

const instant = /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;

/**
 * An ISO 8601 date and time of this century with an offset. Weeks, ordinal days and fractional hours are refused, because PostgreSQL does
 * not accept them.
 */
export function IsInstant(): PropertyDecorator {
  const message = 'Send a date and time such as 2026-11-20T20:30:00+01:00.';
  return applyDecorators(
    Matches(instant, { message }),
    IsISO8601({ strict: true }, { message }),
    ApiProperty({ type: String, format: 'date-time', pattern: instant.source }),
  );
}

/**
 * Validates a body, or the query parameters, against a DTO class and reports all errors at once (400 `body.invalid`, `query.invalid`;
 * `errors` with RFC 6901 pointers). Unknown members of a body are errors at any depth, except the JSON-LD keywords (`@context`, `@type`,
 * `@id`). Unknown query parameters are ignored, because links carry tracking parameters.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as Constructor | undefined;
    if ((metadata.type !== 'body' && metadata.type !== 'query') || !type || (type as unknown) === Object) return value;
    if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) throw notAnObject();
    const unknown: string[] = [];
    const isBody = metadata.type === 'body';
    const found = isBody ? foundFormOf(type) : undefined;
    const moved = new Map<string, string>();
    const given = withoutInherited(value ?? {}, '', unknown) as Record<string, unknown>;
    const instance = plainToInstance(type, found ? found.read(given, moved) : given);
    const errors = await validate(instance, {
      whitelist: true,
      forbidNonWhitelisted: isBody,
      forbidUnknownValues: false,
      stopAtFirstError: true,
    });
    const faults = errors.flatMap((error) => faultsOf(error, ''));
    if (isBody) faults.push(...unknown.map(unknownMember));
    const refused = found
      ? faults.flatMap((fault) => refusedOf({ ...fault, pointer: originalPointer(fault.pointer, moved) }, found))
      : faults;
    if (refused.length > 0) throw problem(`${metadata.type}.invalid`, { errors: refused.slice(0, mostFaults) });
    return instance;
  }
}

/** The fault, unless it is a member that may be ignored. */
function refusedOf(fault: BodyFault, { isAccepted }: FoundForm): BodyFault[] {
  if (fault.code !== unknownCode) return [fault];
  const name = fault.pointer.slice(fault.pointer.lastIndexOf('/') + 1);
  if (!isAccepted(name) && !isLenient()) return [fault];
  ignoreMember(fault.pointer);
  return [];
}

/** The problem for a body that is no JSON object, or a missing body. */
export function notAnObject(): Problem {
  return problem('body.invalid', { errors: [{ pointer: '', code: 'isObject', detail: 'Send a JSON object.' }] });
}

/** The problem for unknown members. */
export function unknownMembers(names: readonly string[]): Problem {
  return problem('body.invalid', {
    errors: names.slice(0, mostFaults).map((name) => unknownMember(`/${escaped(name)}`)),
  });
}

/** Maximum number of errors and length of names, so that the answer to 20,000 unknown members is not larger than the request. */
const mostFaults = 100;
const longestName = 100;

function unknownMember(pointer: string): BodyFault {
  return { pointer, code: unknownCode, detail: unknownSentence[currentLanguage()] };
}

const unknownCode = 'unknownMember';
const unknownSentence: Text = texts.localized('validation.unknownField');

/**
 * Removes members with a name that every object inherits (`constructor`, `hasOwnProperty`) and collects them in `unknown`:
 * class-transformer uses `constructor` as the class of the object, and class-validator treats inherited names as known. No DTO has such a
 * member. Depth and size were limited when the body was read.
 */
function withoutInherited(value: unknown, pointer: string, unknown: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutInherited(item, `${pointer}/${index}`, unknown));
  if (typeof value !== 'object' || value === null) return value;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (name in Object.prototype) unknown.push(`${pointer}/${escaped(name)}`);
    else if (typeof member !== 'object' || member === null) members[name] = member;
    else members[name] = withoutInherited(member, `${pointer}/${escaped(name)}`, unknown);
  }
  return members;
}

function escaped(name: string): string {
  return name.slice(0, longestName).replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOf(error: ValidationError, parent: string): BodyFault[] {
  const pointer = `${parent}/${escaped(error.property)}`;
  const { whitelistValidation, ...constraints } = error.constraints ?? {};
  if (whitelistValidation !== undefined) return isJsonLdKeyword(error.property, error.value) ? [] : [unknownMember(pointer)];
  const own = Object.entries(constraints)
    // Drops the validator's generic message when one of our checks has a specific one.
    .filter(([code], _, { length }) => code !== 'nestedValidation' || length === 1)
    .map(([code, detail]) => ({ pointer, code, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, pointer))];
}
