import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { problem } from './kernel.problems.js';
import type { BodyFault } from './problem.js';

type Constructor = new () => object;

/**
 * Checks a body against its DTO class and answers every fault at once (400 `body.invalid`, `errors` with RFC 6901
 * pointers). Members that the DTO does not know are ignored, so that devices may send more than we read.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const type = metadata.metatype as Constructor | undefined;
    if (metadata.type !== 'body' || !type || (type as unknown) === Object) return value;
    if (value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value))) {
      throw problem('body.invalid', { errors: [{ pointer: '', code: 'isObject', detail: 'Send a JSON object.' }] });
    }
    const instance = plainToInstance(type, { ...value });
    const errors = await validate(instance, { whitelist: true, forbidUnknownValues: false, stopAtFirstError: true });
    if (errors.length > 0) throw problem('body.invalid', { errors: errors.flatMap((error) => faultsOf(error, '')) });
    return instance;
  }
}

function faultsOf(error: ValidationError, parent: string): BodyFault[] {
  const pointer = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.entries(error.constraints ?? {}).map(([code, detail]) => ({ pointer, code, detail }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, pointer))];
}
