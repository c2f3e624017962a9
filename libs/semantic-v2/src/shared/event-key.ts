import type { PipeTransform } from '@nestjs/common';
import { eventProblem } from '#catalogue';

/** A UUID or a slug. What can be neither is answered like an unknown one. */
export class EventKey implements PipeTransform<string> {
  transform(key: string): string {
    if (!/^[a-z0-9-]{8,120}$/i.test(key)) throw eventProblem('event.unknown');
    return key.toLowerCase();
  }
}
