import { Param, type PipeTransform } from '@nestjs/common';
import { isUuid } from '#kernel';

/**
 * A UUID in the path, in lower case. Invalid values are answered like unknown ids.
 * @param name of the path parameter
 * @param unknown creates the problem for an unknown id
 */
export function UuidParam(name: string, unknown: () => Error): ParameterDecorator {
  return Param(name, uuidPipe(unknown));
}

/** The check of `UuidParam`. */
export function uuidPipe(unknown: () => Error): PipeTransform<string, string> {
  return {
    transform(id: string): string {
      if (!isUuid(id)) throw unknown();
      return id.toLowerCase();
    },
  };
}
