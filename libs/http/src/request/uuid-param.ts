import { Param, type PipeTransform } from '@nestjs/common';
import { isUuid } from '#kernel';

/**
 * A UUID of the path, in lower case. What can be none is answered like an unknown one.
 * @param name of the path parameter
 * @param unknown the problem that answers an unknown id
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
