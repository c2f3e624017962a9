import { emailKey, type ReservationFilter } from '#tickets';
import { PageQuery } from '#http';
import { mayBeUuid, optionalText } from '#kernel';
import { ApiProperty } from '@nestjs/swagger';

/** Query of `GET /api/v2/memberships/`. */
export class MembershipsQuery extends PageQuery {
  @ApiProperty({ description: 'E-mail address of a person, in any spelling.' })
  @optionalText(254)
  email?: string;
}

/** Query of `GET /api/v2/reservations/`. */
export class ReservationsQuery extends MembershipsQuery {
  @ApiProperty({ type: 'string', format: 'uuid', description: 'Identifier of an event.' })
  @mayBeUuid()
  event?: string;
}

/** Different spellings of an address count as one person. */
export function toBookingFilter({ event, email }: ReservationsQuery): ReservationFilter {
  return {
    ...(event !== undefined && { eventId: event.toLowerCase() }),
    ...(email !== undefined && { emailKey: emailKey(email) }),
  };
}
