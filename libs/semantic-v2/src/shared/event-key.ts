import type { PipeTransform } from '@nestjs/common';
import { eventProblem } from '#catalogue';

/** Path parameter with a UUID or a slug. Other values are answered like an unknown event. */
export class EventKey implements PipeTransform<string> {
  transform(key: string): string {
    if (!/^[a-z0-9-]{8,120}$/i.test(key)) throw eventProblem('event.unknown');
    return key.toLowerCase();
  }
}
