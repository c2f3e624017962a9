import { reservationStates, type ReservationStatus } from '#tickets';
import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { isoInZone } from '#kernel';
import type { ReservationRow } from './legacy-bookings.service.js';

/**
 * The domain of `user_mail` when the buyer gave no address. The specification requires an e-mail address, and mails cannot be delivered to
 * this top-level domain (RFC 2606). Each sale gets its own address, because clients identify buyers by it.
 */
const noAddressDomain = 'no-address.invalid';

const example: LegacyReservation = {
  uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
  datetime: '2027-02-01T12:00:00.120+01:00',
  user_mail: 'ada@example.org',
  event: '0cea2f59-f12f-463c-80b6-619874377bae',
  status: 'V',
  options: [],
  tickets: ['1997c3a7-3247-4a27-a07c-a5cbcd801d11'],
  paiements: ['5b0f8f6e-6a0e-4a56-9d9c-2f6f0c9e7b10'],
};
const states = Object.entries(reservationStates).map(([code, { en }]) => `${code} ${en}`);
const uuids = { type: 'array', items: formats.uuid } as const;

@ApiModel('LegacyReservation', { example })
export class LegacyReservation {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.instant)
  readonly datetime!: string;

  @ApiProperty({ ...formats.text, description: `Where the buyer gave none: \`<uuid>@${noAddressDomain}\`.` })
  readonly user_mail!: string;

  @ApiProperty(formats.uuid)
  readonly event!: string;

  @ApiProperty({ enum: Object.keys(reservationStates), description: states.join(', ') })
  readonly status!: ReservationStatus;

  @ApiProperty(uuids)
  readonly options!: readonly string[];

  @ApiProperty(uuids)
  readonly tickets!: readonly string[];

  @ApiProperty(uuids)
  readonly paiements!: readonly string[];
}

/** A reservation of the first API (specification, "Reservation"). */
export function toLegacyReservation(row: ReservationRow, timeZone: string): LegacyReservation {
  return {
    uuid: row.id,
    datetime: isoInZone(row.createdAt, timeZone),
    user_mail: row.email || `${row.id}@${noAddressDomain}`,
    event: row.eventId,
    status: row.status,
    options: row.optionIds,
    tickets: row.ticketIds,
    paiements: row.paymentIds,
  };
}
