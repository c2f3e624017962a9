import { currency } from '#kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { groupPlaces, type GroupPlace } from './scan-facts.js';

/** Next steps after a refusal; their meaning is in docs/scanning.md. */
export const nextSteps = ['to_desk', 'pay', 'other_event', 'other_gate', 'wait', 'hand_out', 'let_out'] as const;
export type NextStepCode = (typeof nextSteps)[number];

@ApiModel('GateName')
export class GateName {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;
}

@ApiModel('GroupTicket')
export class GroupTicket {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty({ ...formats.text, description: 'The first 8 characters of `uuid`.' })
  readonly reference!: string;

  @ApiProperty({ enum: groupPlaces })
  readonly state!: GroupPlace;

  @ApiProperty(formats.text)
  readonly price!: string;

  @ApiProperty(formats.text)
  readonly product!: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Only for devices that may search tickets.' })
  readonly first_name?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Only for devices that may search tickets.' })
  readonly last_name?: string;
}

@ApiModel('ScanGroup')
export class ScanGroup {
  @ApiProperty({ ...formats.count, description: 'Admission tickets of the reservation that are not cancelled.' })
  readonly count!: number;

  @ApiProperty(formats.count)
  readonly inside!: number;

  @ApiProperty({ ...formats.count, description: 'Valid and not scanned yet.' })
  readonly expected!: number;

  @ApiProperty({ type: [GroupTicket], maxItems: 200 })
  readonly tickets!: readonly GroupTicket[];
}

@ApiModel('NextStep')
export class NextStep {
  @ApiProperty({ enum: nextSteps })
  readonly code!: NextStepCode;

  @ApiProperty({ ...formats.text, description: 'What to do, in the language of the answer.' })
  readonly text!: string;
}

@ApiModel('AmountDue')
export class AmountDue {
  @ApiProperty({ type: String, pattern: '^\\d+\\.\\d\\d$', example: '12.50' })
  readonly amount!: string;

  @ApiProperty({ type: String, description: 'ISO 4217.', example: currency })
  readonly currency!: string;
}

/** Members of answers to requests with `gate`, `direction` or `tickets`. */
export class DoorMembers {
  @ApiPropertyOptional({ type: GateName, nullable: true, description: 'The gate of the request.' })
  readonly gate?: GateName | null;

  @ApiPropertyOptional({ enum: ['entry', 'exit'] })
  readonly direction?: 'entry' | 'exit';

  @ApiPropertyOptional({ type: ScanGroup, description: 'The tickets of the reservation, after this attempt.' })
  readonly group?: ScanGroup;

  @ApiPropertyOptional({
    type: [String],
    maxItems: 2,
    description: 'What the volunteer reads at the scan: note of the event, then of the price.',
  })
  readonly notes?: readonly string[];

  @ApiPropertyOptional({ type: 'integer', nullable: true, description: 'Youngest age of the event, in years; null: no rule.' })
  readonly age?: number | null;

  @ApiPropertyOptional({ type: 'array', items: formats.uuid, description: 'With `tickets`: those that moved together.' })
  readonly moved?: readonly string[];
}

/** Further members of refusals of requests with `gate`, `direction` or `tickets`. */
export class DoorRefusalMembers extends DoorMembers {
  @ApiPropertyOptional({ ...formats.count, description: 'With `not_enough`: the tickets of the reservation that can move now.' })
  readonly available?: number;

  @ApiPropertyOptional({ type: NextStep })
  readonly next_step?: NextStep;

  @ApiPropertyOptional({ type: AmountDue, description: 'With `not_paid`: what the whole reservation costs.' })
  readonly due?: AmountDue;

  @ApiPropertyOptional({ type: GateName, nullable: true, description: 'With `already_scanned`: where the ticket came in.' })
  readonly scanned_gate?: GateName | null;

  @ApiPropertyOptional({ ...formats.nullableInstant, description: 'With `no_reentry` and `not_inside`: when the holder left.' })
  readonly left_at?: string | null;

  @ApiPropertyOptional({ type: GateName, nullable: true, description: 'With `no_reentry` and `not_inside`: where the holder left.' })
  readonly left_gate?: GateName | null;

  @ApiPropertyOptional({ ...formats.nullableInstant, description: 'With `cancelled`: since when; null: unknown.' })
  readonly cancelled_at?: string | null;

  @ApiPropertyOptional({ type: [GateName], maxItems: 20, description: 'With `wrong_gate`: the gates that the ticket may pass.' })
  readonly gates?: readonly GateName[];
}
