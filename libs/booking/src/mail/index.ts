export type * from './mail-facts.js';
export * from './event-calendar.js';
export * from './membership-pdf.js';
export * from './messages.js';
export * from './tickets-pdf.js';
