import { ApiProperty } from '@nestjs/swagger';
import { ticketStates } from '#tickets';
import { ApiModel, Constant, formats } from '#http';

const ticketLabels = [...new Set(Object.values(ticketStates).flatMap((state): string[] => Object.values(state)))];

@ApiModel('ListedTicket')
export class ListedTicketAnswer {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly first_name!: string;

  @ApiProperty(formats.text)
  readonly last_name!: string;

  @ApiProperty({ ...formats.text, description: 'Shortened: its owner recognises it, and nobody can write to it.' })
  readonly email!: string;

  @ApiProperty({ ...formats.text, description: 'Name of the price.' })
  readonly price!: string;

  @ApiProperty(formats.text)
  readonly product!: string;

  @ApiProperty(formats.uuid)
  readonly reservation_uuid!: string;

  @ApiProperty({ enum: ticketLabels, description: 'A label in the language of the answer.' })
  readonly status!: string;

  @ApiProperty(formats.boolean)
  readonly is_scanned!: boolean;

  @ApiProperty(formats.instant)
  readonly reservation_datetime!: string;

  @ApiProperty({ ...formats.uuid, deprecated: true, description: 'No code: `uuid` again, for older apps. Send it as `ticket` of a scan.' })
  readonly qrcode_data!: string;
}

const ticket: ListedTicketAnswer = {
  uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  first_name: 'Ada',
  last_name: 'Martin',
  email: 'a•••@e•••.org',
  price: 'Full price',
  product: 'Ticket',
  reservation_uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
  status: 'Valid and not scanned',
  is_scanned: false,
  reservation_datetime: '2026-11-02T18:04:11.503218+01:00',
  qrcode_data: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
};
const pageExample: TicketPage = { success: true, count: 1, total: 1, page: 1, total_pages: 1, results: [ticket] };

@ApiModel('TicketPage', { example: pageExample })
export class TicketPage {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ ...formats.count, description: 'Tickets on this page.' })
  readonly count!: number;

  @ApiProperty({ ...formats.count, description: 'Tickets on all pages.' })
  readonly total!: number;

  @ApiProperty(formats.count)
  readonly page!: number;

  @ApiProperty(formats.count)
  readonly total_pages!: number;

  @ApiProperty({ type: [ListedTicketAnswer], maxItems: 200 })
  readonly results!: readonly ListedTicketAnswer[];
}

@ApiModel('DoorEvent')
export class DoorEventAnswer {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.nullableText)
  readonly place!: string | null;

  @ApiProperty(formats.instant)
  readonly start!: string;

  @ApiProperty(formats.nullableInstant)
  readonly end!: string | null;

  @ApiProperty({ ...formats.nullableInstant, description: 'When scanning opens; null: it is not limited.' })
  readonly doors!: string | null;

  @ApiProperty({ ...formats.nullableInstant, description: 'When scanning closes; null: it is not limited.' })
  readonly closes!: string | null;
}

const event: DoorEventAnswer = {
  uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  name: 'Nuit blanche',
  place: 'Blue Hall',
  start: '2026-11-20T20:30:00.000000+01:00',
  end: null,
  doors: '2026-11-20T19:30:00.000000+01:00',
  closes: null,
};
const eventsExample: DoorEventList = { success: true, count: 1, time_zone: 'Europe/Paris', results: [event] };

@ApiModel('DoorEventList', { example: eventsExample })
export class DoorEventList {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.count)
  readonly count!: number;

  @ApiProperty({ ...formats.text, description: 'Time zone of the place: the IANA name.' })
  readonly time_zone!: string;

  @ApiProperty({ type: [DoorEventAnswer] })
  readonly results!: readonly DoorEventAnswer[];
}
