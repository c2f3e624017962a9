import type { PipeTransform } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { bookingProblem } from './booking.problems.js';

/** The UUID of a path. What can be none is answered like an unknown one. */
export function idOr(unknown: Parameters<typeof bookingProblem>[0]): PipeTransform<string, string> {
  return {
    transform(id: string): string {
      if (!isUUID(id)) throw bookingProblem(unknown);
      return id.toLowerCase();
    },
  };
}
