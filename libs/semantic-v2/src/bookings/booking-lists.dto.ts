import { ApiProperty } from '@nestjs/swagger';
import { MembershipAnswer } from '#memberships';
import { ReservationAnswer } from '#tickets';

export class ReservationList {
  @ApiProperty({ type: [ReservationAnswer] })
  readonly results!: readonly ReservationAnswer[];
}

export class MembershipList {
  @ApiProperty({ type: [MembershipAnswer] })
  readonly results!: readonly MembershipAnswer[];
}
