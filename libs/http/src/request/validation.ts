import { applyDecorators, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { IsISO8601, Matches, validate, type ValidationError } from 'class-validator';
import { kernelProblem as problem, isJsonLdKeyword, currentLanguage } from '#kernel';
import type { Text, BodyFault, Problem } from '#kernel';
type Constructor = new () => object;

const instant = /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;

/**
 * A moment of this century, with its offset. ISO 8601 allows weeks, ordinal days and half hours as well, which neither PostgreSQL nor
 * anybody's clock does.
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
 * Checks a body, or the query parameters, against a DTO class and answers every fault at once (400 `body.invalid`, `query.invalid`;
 * `errors` with RFC 6901 pointers). A member of a body that the DTO does not know is a fault, at any depth. The keywords of JSON-LD
 * (`@context`, `@type`, `@id`) are known everywhere. Unknown query parameters are ignored: links carry more than we read.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as Constructor | undefined;
    if ((metadata.type !== 'body' && metadata.type !== 'query') || !type || (type as unknown) === Object) return value;
    if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) throw notAnObject();
    const unknown: string[] = [];
    const instance = plainToInstance(type, withoutInherited(value ?? {}, '', unknown) as object);
    const isBody = metadata.type === 'body';
    const errors = await validate(instance, {
      whitelist: true,
      forbidNonWhitelisted: isBody,
      forbidUnknownValues: false,
      stopAtFirstError: true,
    });
    const faults = errors.flatMap((error) => faultsOf(error, ''));
    if (isBody) faults.push(...unknown.map(unknownMember));
    if (faults.length > 0) throw problem(`${metadata.type}.invalid`, { errors: faults.slice(0, mostFaults) });
    return instance;
  }
}

/** A body that is no JSON object, or none where one is needed. */
export function notAnObject(): Problem {
  return problem('body.invalid', { errors: [{ pointer: '', code: 'isObject', detail: 'Send a JSON object.' }] });
}

/** The members of a body that nobody reads, as faults. */
export function unknownMembers(names: readonly string[]): Problem {
  return problem('body.invalid', {
    errors: names.slice(0, mostFaults).map((name) => unknownMember(`/${escaped(name)}`)),
  });
}

/** The answer to 20,000 unknown members must not be larger than they are. */
const mostFaults = 100;
const longestName = 100;

function unknownMember(pointer: string): BodyFault {
  return { pointer, code: 'unknownMember', detail: unknownSentence[currentLanguage()] };
}

const unknownSentence: Text = {
  en: 'There is no such member here. Leave it out, or check its spelling.',
  fr: "Ce membre n'existe pas ici. Retirez-le, ou vérifiez son orthographe.",
};

/**
 * Removes members with a name that every object inherits (`constructor`, `hasOwnProperty`) and collects them in `unknown`:
 * class-transformer takes `constructor` for the class of the object, and class-validator takes inherited names for known ones. No DTO has
 * such a member. Depth and size were bounded when the body was read.
 */
function withoutInherited(value: unknown, pointer: string, unknown: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutInherited(item, `${pointer}/${index}`, unknown));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = `${pointer}/${escaped(name)}`;
    if (!(name in Object.prototype)) return [[name, withoutInherited(member, at, unknown)] as const];
    unknown.push(at);
    return [];
  });
  return Object.fromEntries(members);
}

function escaped(name: string): string {
  return name.slice(0, longestName).replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOf(error: ValidationError, parent: string): BodyFault[] {
  const pointer = `${parent}/${escaped(error.property)}`;
  const { whitelistValidation, ...constraints } = error.constraints ?? {};
  if (whitelistValidation !== undefined) return isJsonLdKeyword(error.property, error.value) ? [] : [unknownMember(pointer)];
  const own = Object.entries(constraints)
    // Where a check of ours says what is wanted, the validator's own remark says nothing more.
    .filter(([code], _, { length }) => code !== 'nestedValidation' || length === 1)
    .map(([code, detail]) => ({ pointer, code, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, pointer))];
}
