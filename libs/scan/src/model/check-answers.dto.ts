import { ApiProperty } from '@nestjs/swagger';
import { ApiUnion, Constant, formats } from '#http';
import { CheckedMembership, CheckedTicket, Companions, ScanReservation } from './scan-answers.dto.js';
import { DoorMembers } from './gate-answers.dto.js';
import { cardReasons, gateReasons, scanReasons } from './scan-facts.js';
import type { CardRefusal, GateRefusal, ScanRefusal } from './scan-facts.js';

const detail = { ...formats.text, description: 'The reason in words.' };

/** A ticket that may enter now. */
export class CheckAccepted extends DoorMembers {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @Constant(true)
  readonly may_enter!: true;

  @ApiProperty({ type: CheckedTicket })
  readonly ticket!: CheckedTicket;

  @ApiProperty({ type: ScanReservation })
  readonly reservation!: ScanReservation;
}

/** A genuine ticket that may not enter now. */
export class CheckRefused extends Companions {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @Constant(false)
  readonly may_enter!: false;

  @ApiProperty({ enum: [...scanReasons, ...gateReasons] })
  readonly reason!: ScanRefusal | GateRefusal;

  @ApiProperty(detail)
  readonly detail!: string;

  @ApiProperty({ type: CheckedTicket })
  readonly ticket!: CheckedTicket;

  @ApiProperty({ type: ScanReservation })
  readonly reservation!: ScanReservation;
}

/** A genuine membership card. */
export class CardChecked {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @Constant(false)
  readonly may_enter!: false;

  @ApiProperty({ enum: cardReasons })
  readonly reason!: CardRefusal;

  @ApiProperty(detail)
  readonly detail!: string;

  @ApiProperty({ type: CheckedMembership })
  readonly membership!: CheckedMembership;
}

const example: CheckAnswer = {
  success: true,
  message: 'Ticket information retrieved',
  may_enter: true,
  ticket: {
    uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
    status: 'Valid and not scanned',
    is_scanned: false,
    event: 'Nuit blanche',
    first_name: 'Ada',
    last_name: 'Martin',
    price: 'Full price',
    product: 'Ticket',
    scanned_by: null,
  },
  reservation: { uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4', tickets_count: 2 },
};

/** Answers of check. */
export type CheckAnswer = CheckAccepted | CheckRefused | CardChecked;

@ApiUnion('CheckAnswer', [CheckAccepted, CheckRefused, CardChecked], { example })
export class CheckAnswerModel {}
