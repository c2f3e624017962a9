export type * from './mail-facts.js';
export * from './event-calendar.js';
export * from './membership-pdf.js';
export * from './messages.js';
export * from './ticket-documents.service.js';
export { ticketsPdf } from './tickets-pdf.js';
export * from './tickets-sheet.js';
