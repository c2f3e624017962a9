import { ticketStates } from '#tickets';
import { ApiModel } from '#http';
import { currentLanguage, isoInZone, maskedEmail, must, mustBeUuid, optional, optionalWhole, type Language } from '#kernel';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { DoorEvent, ListedTicket, TicketListQuery } from './door-lists.service.js';
import type { DoorEventList, TicketPage } from './door-list-answers.dto.js';
import { ticketOrders, type TicketOrder } from './ticket-list.statement.js';
import { texts } from '../locales/scan.texts.js';

export const largestPage = 200;
const defaultPageSize = 50;
const longestSearch = 100;
const eventUuid = 'f8838409-22db-49cb-8a1d-b372e4d8489b';

const pageSize = {
  message: (): string => texts.localized('doorLists.pageInvalid', { largestPage })[currentLanguage()],
};

const directions = ['asc', 'desc'] as const;
const oneOf = (words: readonly string[]): { message: () => string } => ({
  message: () => texts.localized('doorLists.notOneOf', { words: words.join(', ') })[currentLanguage()],
});

/** Some clients send numbers as text. */
const number = Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : value));

class TicketsBody {
  /** The event whose tickets are listed. */
  @mustBeUuid(texts.localized('doorLists.eventInvalid'))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  event_uuid!: string;

  @ApiProperty({ default: 1 })
  @optionalWhole(1)
  @number
  page?: number | null;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: largestPage, default: defaultPageSize, description: 'Tickets per page.' })
  @optional()
  @IsInt(pageSize)
  @Min(1, pageSize)
  @Max(largestPage, pageSize)
  @number
  page_size?: number | null;

  @ApiProperty({ enum: ticketOrders, default: 'last_name' })
  @optional()
  @IsIn(ticketOrders, oneOf(ticketOrders))
  order_by?: TicketOrder | null;

  @ApiProperty({ enum: directions, default: 'asc' })
  @optional()
  @IsIn(directions, oneOf(directions))
  order_dir?: 'asc' | 'desc' | null;
}

/** Body of `POST /scan/list_tickets/`. */
@ApiModel('ListTicketsBody', { example: { event_uuid: eventUuid, page: 1, page_size: 100, order_by: 'last_name' } })
export class ListTicketsBody extends TicketsBody {}

/** Body of `POST /scan/search_ticket/`. */
@ApiModel('SearchTicketBody', { example: { event_uuid: eventUuid, search: 'martin' } })
export class SearchTicketBody extends TicketsBody {
  @must(
    'isSearch',
    (value) => typeof value === 'string' && value.length <= longestSearch && value.trim() !== '',
    texts.localized('doorLists.searchInvalid', { longestSearch }),
  )
  @ApiProperty({ type: String, minLength: 1, maxLength: longestSearch, pattern: '\\S' })
  search!: string;
}

export function toTicketListQuery(body: TicketsBody, text = ''): TicketListQuery {
  return {
    eventId: body.event_uuid,
    text,
    order: body.order_by ?? 'last_name',
    descending: body.order_dir === 'desc',
    page: body.page ?? 1,
    pageSize: body.page_size ?? defaultPageSize,
  };
}

/** Renders one page; `count` is its number of tickets. */
export function toTicketPage(
  { page, pageSize }: TicketListQuery,
  { total, tickets }: { readonly total: number; readonly tickets: readonly ListedTicket[] },
  language: Language,
  timeZone: string,
): TicketPage {
  return {
    success: true,
    count: tickets.length,
    total,
    page,
    total_pages: Math.max(1, Math.ceil(total / pageSize)),
    results: tickets.map((ticket) => ({
      uuid: ticket.id,
      first_name: ticket.firstName,
      last_name: ticket.lastName,
      email: ticket.email && maskedEmail(ticket.email),
      price: ticket.price,
      product: ticket.product,
      reservation_uuid: ticket.reservationId,
      status: ticketStates[ticket.status][language],
      is_scanned: ticket.status === 'S',
      reservation_datetime: isoInZone(ticket.reservedAt, timeZone),
      qrcode_data: ticket.id,
    })),
  };
}

export function toDoorEvents(events: readonly DoorEvent[], timeZone: string): DoorEventList {
  const at = (instant: string | null): string | null => (instant === null ? null : isoInZone(instant, timeZone));
  return {
    success: true,
    count: events.length,
    time_zone: timeZone,
    results: events.map(({ uuid, name, place, startsAt, endsAt, opensAt, closesAt }) => ({
      uuid,
      name,
      place,
      start: isoInZone(startsAt, timeZone),
      end: at(endsAt),
      doors: at(opensAt),
      closes: at(closesAt),
    })),
  };
}
