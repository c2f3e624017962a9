import { applyDecorators, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { IsISO8601, Matches, validate, type ValidationError } from 'class-validator';
import { problem } from './kernel.problems.js';
import type { BodyFault } from './problem.js';

type Constructor = new () => object;

const instant = /^20\d\d-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;

/**
 * A moment of this century, with its offset. ISO 8601 allows weeks, ordinal days and half hours as well, which neither PostgreSQL nor
 * anybody's clock does.
 */
export function IsInstant(): PropertyDecorator {
  const message = 'Send a date and time such as 2026-11-20T20:30:00+01:00.';
  return applyDecorators(Matches(instant, { message }), IsISO8601({ strict: true }, { message }));
}

/**
 * Checks a body, or the query parameters, against a DTO class and answers every fault at once (400 `body.invalid`, `query.invalid`;
 * `errors` with RFC 6901 pointers). Members that the DTO does not know are ignored, so that devices may send more than we read.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as Constructor | undefined;
    if ((metadata.type !== 'body' && metadata.type !== 'query') || !type || (type as unknown) === Object) return value;
    if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) {
      throw problem('body.invalid', { errors: [{ pointer: '', code: 'isObject', detail: 'Send a JSON object.' }] });
    }
    const instance = plainToInstance(type, withoutConstructors(value ?? {}) as object);
    const errors = await validate(instance, { whitelist: true, forbidUnknownValues: false, stopAtFirstError: true });
    if (errors.length > 0)
      throw problem(`${metadata.type}.invalid`, { errors: errors.flatMap((error) => faultsOf(error, '')) });
    return instance;
  }
}

/**
 * The class that a member names as its `constructor` would be taken for its class, and one that is none fails. No body of ours has such a
 * member. Depth and size were bounded when the body was read.
 */
function withoutConstructors(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutConstructors);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'constructor' && name !== '__proto__');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutConstructors(member)]));
}

function faultsOf(error: ValidationError, parent: string): BodyFault[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.entries(error.constraints ?? {})
    // Where a check of ours says what is wanted, the validator's own remark says nothing more.
    .filter(([code], _, { length }) => code !== 'nestedValidation' || length === 1)
    .map(([code, detail]) => ({ pointer, code, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, pointer))];
}
