import type { EventQuery } from '#catalogue';
import { may, optionalText } from '#kernel';
import { JSONSchema } from 'class-validator-jsonschema';

/** Query of `GET /api/v2/events/`. */
export class EventsQuery {
  @JSONSchema({ enum: ['0', '1', 'true', 'false'], description: 'Without events that were over yesterday.' })
  @may('isFlag', (value) => typeof value === 'string' && /^(0|1|true|false)$/i.test(value), {
    en: 'Send 1 or 0.',
    fr: 'Envoyez 1 ou 0.',
  })
  only_futur?: string;

  @JSONSchema({
    type: 'integer',
    minimum: 1,
    maximum: 366,
    description: 'Events of so many days from yesterday on; wins over only_futur.',
  })
  @may('isDays', (value) => typeof value === 'string' && /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 366, {
    en: 'Send a whole number from 1 to 366.',
    fr: 'Envoyez un nombre entier de 1 à 366.',
  })
  next_days?: string;

  @JSONSchema({ description: 'Words that stand in the name or the descriptions.' })
  @optionalText(200)
  filter?: string;
}

export function toEventQuery({ only_futur: upcoming, next_days: days, filter }: EventsQuery): EventQuery {
  return {
    upcoming: /^(1|true)$/i.test(upcoming ?? ''),
    ...(days !== undefined && { nextDays: Number(days) }),
    ...(filter?.trim() && { text: filter.trim() }),
  };
}
