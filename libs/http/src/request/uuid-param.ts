import type { PipeTransform } from '@nestjs/common';
import { isUuid } from '#kernel';

/**
 * The UUID of a path, in lower case. What can be none is answered like an unknown one.
 * @param unknown the problem that answers an unknown id
 */
export function uuidParam(unknown: () => Error): PipeTransform<string, string> {
  return {
    transform(id: string): string {
      if (!isUuid(id)) throw unknown();
      return id.toLowerCase();
    },
  };
}
