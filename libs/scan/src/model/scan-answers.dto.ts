import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { membershipStates } from '#memberships';
import { ticketStates } from '#tickets';
import { ApiModel, ApiUnion, Constant, formats } from '#http';
import { DoorMembers, DoorRefusalMembers } from './gate-answers.dto.js';
import { cardValidities, fulfilReasons, gateReasons, scanReasons, undoReasons } from './scan-facts.js';
import type { CardRefusal, CardValidity, FulfilRefusal, GateRefusal, ScanRefusal, UndoRefusal } from './scan-facts.js';

/** The distinct labels of states in all languages. */
const labelsOf = (states: Readonly<Record<string, object>>): string[] => [
  ...new Set(Object.values(states).flatMap((state): string[] => Object.values(state))),
];
const ticketLabels = { enum: labelsOf(ticketStates), description: 'A label in the language of the answer.' };
const membershipLabels = { enum: labelsOf(membershipStates), description: 'A label in the language of the answer.' };
const letInBy = { ...formats.nullableText, description: 'Identifier of the device that let it in.' };

class TicketSummary {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(ticketLabels)
  readonly status!: string;

  @ApiProperty(formats.text)
  readonly event!: string;

  @ApiProperty(formats.text)
  readonly first_name!: string;

  @ApiProperty(formats.text)
  readonly last_name!: string;

  @ApiProperty(formats.text)
  readonly price!: string;

  @ApiProperty(formats.text)
  readonly product!: string;
}

@ApiModel('ScanTicket')
export class ScanTicket extends TicketSummary {
  @ApiPropertyOptional(letInBy)
  readonly scanned_by?: string | null;
}

@ApiModel('CheckedTicket')
export class CheckedTicket extends TicketSummary {
  @ApiProperty(formats.boolean)
  readonly is_scanned!: boolean;

  @ApiProperty(letInBy)
  readonly scanned_by!: string | null;
}

@ApiModel('ScanReservation')
export class ScanReservation {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.count)
  readonly tickets_count!: number;
}

@ApiModel('ScanMembership')
export class ScanMembership {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly first_name!: string;

  @ApiProperty(formats.text)
  readonly last_name!: string;

  @ApiProperty(formats.text)
  readonly product!: string;

  @ApiProperty(formats.text)
  readonly price!: string;

  @ApiProperty(formats.instant)
  readonly valid_from!: string;

  @ApiProperty({ ...formats.nullableInstant, description: 'null: without end.' })
  readonly valid_until!: string | null;

  @ApiProperty(membershipLabels)
  readonly status!: string;
}

@ApiModel('RefusedMembership')
export class RefusedMembership extends ScanMembership {
  @ApiPropertyOptional({ enum: cardValidities, description: 'Whether the membership is valid now, or why not.' })
  readonly validity?: CardValidity;
}

@ApiModel('CheckedMembership')
export class CheckedMembership extends ScanMembership {
  @ApiProperty(formats.boolean)
  readonly is_valid!: boolean;
}

@ApiModel('EventOfTicket')
export class EventOfTicket {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.nullableText)
  readonly place!: string | null;

  @ApiProperty(formats.instant)
  readonly start!: string;

  @ApiProperty(formats.nullableInstant)
  readonly scan_opens_at!: string | null;

  @ApiProperty(formats.nullableInstant)
  readonly scan_closes_at!: string | null;
}

/**
 * Members that explain a reason: `already_scanned` has the first three, `not_admission` and `already_fulfilled` the next two,
 * `wrong_event`, `too_early` and `too_late` the event. Answers to devices that named no gate have none of the inherited members.
 */
export class Companions extends DoorRefusalMembers {
  @ApiPropertyOptional(formats.nullableText)
  readonly scanned_by?: string | null;

  @ApiPropertyOptional(formats.nullableText)
  readonly scanned_by_name?: string | null;

  @ApiPropertyOptional(formats.nullableInstant)
  readonly scanned_at?: string | null;

  @ApiPropertyOptional({ ...formats.nullableInstant, description: 'When the goods were handed out.' })
  readonly fulfilled_at?: string | null;

  @ApiPropertyOptional(formats.nullableText)
  readonly fulfilled_by_name?: string | null;

  @ApiPropertyOptional({ type: EventOfTicket })
  readonly event?: EventOfTicket;
}

/** A ticket that was scanned, or whose scan was undone. */
export class ScanAccepted extends DoorMembers {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty({ type: ScanTicket })
  readonly ticket!: ScanTicket;

  @ApiProperty({ type: ScanReservation })
  readonly reservation!: ScanReservation;
}

export class ScanRefused extends Companions {
  @Constant(false)
  readonly success!: false;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty({ enum: [...scanReasons, ...gateReasons, ...undoReasons] })
  readonly reason!: ScanRefusal | GateRefusal | UndoRefusal;

  @ApiProperty({ type: ScanTicket, nullable: true })
  readonly ticket!: ScanTicket | null;

  @ApiProperty({ type: ScanReservation, nullable: true })
  readonly reservation!: ScanReservation | null;
}

/** A membership card, which does not admit. */
export class CardRefused {
  @Constant(false)
  readonly success!: false;

  @ApiProperty(formats.text)
  readonly message!: string;

  @Constant('membership')
  readonly reason!: CardRefusal;

  @ApiProperty({ type: RefusedMembership })
  readonly membership!: RefusedMembership;
}

/** Goods that were handed out, or whose handing out was undone. */
export class FulfilAccepted {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty(formats.nullableInstant)
  readonly fulfilled_at!: string | null;

  @ApiProperty(formats.nullableText)
  readonly fulfilled_by_name!: string | null;

  @ApiProperty({ type: ScanTicket })
  readonly ticket!: ScanTicket;

  @ApiProperty({ type: ScanReservation })
  readonly reservation!: ScanReservation;
}

export class FulfilRefused extends Companions {
  @Constant(false)
  readonly success!: false;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty({ enum: [...scanReasons, ...undoReasons, ...fulfilReasons] })
  readonly reason!: ScanRefusal | UndoRefusal | FulfilRefusal;

  @ApiProperty({ type: ScanTicket })
  readonly ticket!: ScanTicket;

  @ApiProperty({ type: ScanReservation })
  readonly reservation!: ScanReservation;
}

const ticketExample = {
  uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  status: 'Valid and scanned',
  event: 'Nuit blanche',
  first_name: 'Ada',
  last_name: 'Martin',
  price: 'Full price',
  product: 'Ticket',
};
const reservation = { uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4', tickets_count: 2 };
const scanExample: ScanAnswer = { success: true, message: 'Ticket successfully scanned', ticket: ticketExample, reservation };
const fulfilExample: FulfilAnswer = {
  success: true,
  message: 'Item handed out',
  fulfilled_at: '2027-03-01T20:12:40.120394+01:00',
  fulfilled_by_name: 'Merchandise',
  ticket: { ...ticketExample, status: 'Valid and not scanned', price: 'Size M', product: 'T-shirt' },
  reservation,
};

/** Answers of scan and undo. */
export type ScanAnswer = ScanAccepted | ScanRefused | CardRefused;

@ApiUnion('ScanAnswer', [ScanAccepted, ScanRefused, CardRefused], { example: scanExample })
export class ScanAnswerModel {}

/** Answers of handing goods out and of its undo. */
export type FulfilAnswer = FulfilAccepted | FulfilRefused | CardRefused;

@ApiUnion('FulfilAnswer', [FulfilAccepted, FulfilRefused, CardRefused], { example: fulfilExample })
export class FulfilAnswerModel {}
