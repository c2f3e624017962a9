import type { PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { eventProblem } from '#catalogue';

/** Path parameter with a UUID or a slug. Other values are answered like an unknown event. */
export class EventKey implements PipeTransform<string> {
  transform(key: string): string {
    if (!/^[a-z0-9-]{8,120}$/i.test(key)) throw eventProblem('event.unknown');
    return key.toLowerCase();
  }
}

/** Describes the path parameter `key`. */
export function ApiEventKey(): ClassDecorator & MethodDecorator {
  return ApiParam({
    name: 'key',
    description: 'UUID or slug of the event.',
    type: String,
    example: '0cea2f59-f12f-463c-80b6-619874377bae',
  });
}
