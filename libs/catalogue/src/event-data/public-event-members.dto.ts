import { ApiPropertyOptional } from '@nestjs/swagger';
import { formats } from '#http';
import type { publicEventTexts } from '../entities/public-event-columns.js';
import type { PublicEvent } from './public-event.js';

/** Members of schema.org Event that events of the API, of pages and of networks have in common. */
export class PublicEventMembers {
  @ApiPropertyOptional({ ...formats.text, description: 'The subtitle.' })
  readonly alternateName?: string;

  @ApiPropertyOptional(formats.text)
  readonly disambiguatingDescription?: string;
}

/** Members whose text is stored as it is, and their columns. Requests, answers and pointers of errors use them. */
export const eventTextMembers = {
  alternateName: 'subtitle',
  disambiguatingDescription: 'shortDescription',
} as const satisfies Partial<Record<keyof PublicEventMembers, keyof typeof publicEventTexts>>;

type TextMembers = Record<keyof typeof eventTextMembers, string | null>;

/** The members that are common; null or undefined: not known. */
export function toPublicMembers(event: Pick<PublicEvent, (typeof eventTextMembers)[keyof typeof eventTextMembers]>): TextMembers {
  const members = Object.entries(eventTextMembers).map(([member, column]) => [member, event[column]]);
  return Object.fromEntries(members) as TextMembers;
}
