import type { EventQuery } from '#catalogue';
import { may, optionalText } from '#kernel';
import { ApiProperty } from '@nestjs/swagger';
import { texts } from '../locales/semantic-v2.texts.js';

/** Query of `GET /api/v2/events/`. */
export class EventsQuery {
  @ApiProperty({ type: String, enum: ['0', '1', 'true', 'false'], description: 'Without events that were over yesterday.' })
  @may('isFlag', (value) => typeof value === 'string' && /^(0|1|true|false)$/i.test(value), texts.localized('eventsQuery.notOneOrZero'))
  only_futur?: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 366,
    description: 'Events of so many days from yesterday on; wins over only_futur.',
  })
  @may(
    'isDays',
    (value) => typeof value === 'string' && /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 366,
    texts.localized('eventsQuery.daysInvalid'),
  )
  next_days?: string;

  @ApiProperty({ description: 'Words that stand in the name or the descriptions.' })
  @optionalText(200)
  filter?: string;
}

/** Maps a validated query to the service's input. */
export function toEventQuery({ only_futur: upcoming, next_days: days, filter }: EventsQuery): EventQuery {
  return {
    upcoming: /^(1|true)$/i.test(upcoming ?? ''),
    ...(days !== undefined && { nextDays: Number(days) }),
    ...(filter?.trim() && { text: filter.trim() }),
  };
}
