import { ticketStates } from '#booking';
import { defineSchema, objectSchema, schemaOf, type RouteDescription } from '#http';
import { nullable } from '../model/scan-schemas.js';
import { largestPage, ListTicketsBody, SearchTicketBody } from './door-lists.dto.js';

const tag = 'Scanning devices';
const { uuid, text, nullableText, instant, boolean, count } = schemaOf;

const listedTicket = defineSchema(
  'ListedTicket',
  objectSchema({
    uuid,
    first_name: text,
    last_name: text,
    email: text,
    price: { ...text, description: 'Name of the price.' },
    product: text,
    reservation_uuid: uuid,
    status: {
      enum: Object.values(ticketStates).flatMap((state) => Object.values(state)),
      description: 'A label in the language of the answer.',
    },
    is_scanned: boolean,
    reservation_datetime: instant,
    qrcode_data: text,
  }),
);
const ticketPage = objectSchema({
  success: { const: true },
  count: { ...count, description: 'Tickets on this page.' },
  total: { ...count, description: 'Tickets on all pages.' },
  page: count,
  total_pages: count,
  results: { type: 'array', items: listedTicket, maxItems: largestPage },
});
const doorEvent = defineSchema(
  'DoorEvent',
  objectSchema({
    uuid,
    name: text,
    place: nullableText,
    start: instant,
    end: nullable(instant),
    doors: { ...nullable(instant), description: 'When scanning opens; null: it is not limited.' },
    closes: { ...nullable(instant), description: 'When scanning closes; null: it is not limited.' },
  }),
);

const eventUuid = 'f8838409-22db-49cb-8a1d-b372e4d8489b';
const pageExample = {
  success: true,
  count: 1,
  total: 1,
  page: 1,
  total_pages: 1,
  results: [
    {
      uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
      first_name: 'Ada',
      last_name: 'Martin',
      email: 'ada@example.org',
      price: 'Full price',
      product: 'Ticket',
      reservation_uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4',
      status: 'Valid and not scanned',
      is_scanned: false,
      reservation_datetime: '2026-11-02T18:04:11.503218+01:00',
      qrcode_data: `${'A'.repeat(24)}:${'B'.repeat(86)}`,
    },
  ],
};
const problems = ['device.permission', 'event.unknown'];

/** Descriptions of the lists for devices. */
export const doorListsApi = {
  events: {
    tag,
    summary: 'Running and coming events',
    description:
      'Published events that are not over, private ones included, by start, 200 at most. Their `uuid` is the `event_uuid` of a scan.',
    answers: {
      200: {
        description: 'Events',
        schema: objectSchema({ success: { const: true }, count, results: { type: 'array', items: doorEvent } }),
        example: {
          success: true,
          count: 1,
          results: [
            {
              uuid: eventUuid,
              name: 'Nuit blanche',
              place: 'Blue Hall',
              start: '2026-11-20T20:30:00.000000+01:00',
              end: null,
              doors: '2026-11-20T19:30:00.000000+01:00',
              closes: null,
            },
          ],
        },
      },
    },
  },
  listTickets: {
    tag,
    summary: 'The tickets of an event, in pages',
    description: 'For devices that staff allow to search tickets. A ticket without names has those of its buyer.',
    body: { type: ListTicketsBody, example: { event_uuid: eventUuid, page: 1, page_size: 100, order_by: 'last_name' } },
    answers: { 200: { description: 'A page of tickets, in any state', schema: ticketPage, example: pageExample } },
    problems,
  },
  searchTickets: {
    tag,
    summary: 'Search the tickets of an event',
    description:
      'For devices that staff allow to search tickets. Every word is found in a name, the e-mail address, the price or the product, whatever its case and accents, or begins the `uuid` of the ticket or its reservation (four characters at least).',
    body: { type: SearchTicketBody, example: { event_uuid: eventUuid, search: 'martin' } },
    answers: { 200: { description: 'A page of tickets, in any state', schema: ticketPage, example: pageExample } },
    problems,
  },
} as const satisfies Record<string, RouteDescription>;
