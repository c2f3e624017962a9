import { ApiPropertyOptional } from '@nestjs/swagger';
import { formats } from '#http';
import { isoInZone, present } from '#kernel';
import type { PublicEventColumns, publicEventTexts } from '../entities/public-event-columns.js';

/** Members of schema.org Event that events of the API, of pages and of networks have in common. */
export class PublicEventMembers {
  @ApiPropertyOptional({ ...formats.text, description: 'The subtitle.' })
  readonly alternateName?: string;

  @ApiPropertyOptional(formats.text)
  readonly disambiguatingDescription?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'When the doors open. It moves with the start.' })
  readonly doorTime?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'How long it lasts: ISO 8601, such as `PT1H30M`.' })
  readonly duration?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Such as `7-12` or `18-`.' })
  readonly typicalAgeRange?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'How people with disabilities get in and follow it.' })
  readonly accessibilitySummary?: string;
}

/** Members whose text is stored as it is, and their columns. Requests, answers and pointers of errors use them. */
export const eventTextMembers = {
  alternateName: 'subtitle',
  disambiguatingDescription: 'shortDescription',
  typicalAgeRange: 'ageRange',
  accessibilitySummary: 'access',
} as const satisfies Partial<Record<keyof PublicEventMembers, keyof typeof publicEventTexts>>;

/** The members that are common. */
export function toPublicMembers(event: PublicEventColumns, timeZone: string): PublicEventMembers {
  const members = Object.entries(eventTextMembers).map(([member, column]) => [member, event[column]]);
  return present({
    ...(Object.fromEntries(members) as Record<keyof typeof eventTextMembers, string | null>),
    doorTime: event.doorsAt && isoInZone(event.doorsAt, timeZone),
    duration: event.durationMinutes === null ? undefined : isoDuration(event.durationMinutes),
  });
}

/** `PT1H30M`. */
function isoDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`;
}
