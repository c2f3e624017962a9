export { goodsFieldsHtml, isPayable, joiningNote, type BookingForm, type TypedTickets } from './event/booking-form.html.js';
export { bookingWords, maximumWords } from './event/booking.words.js';
export { closingWords, nextSaleChange, shutWords } from './event/sale-words.js';
export { waitingFormHtml, type WaitingForm } from './event/waiting-form.html.js';
export { waitingFormWords } from './event/waiting-form.words.js';
export { EventPagesService } from './event/event-pages.service.js';
export { SharedEventPagesService, type SharedEventPage } from './event/shared-event-pages.service.js';
export * from './pages.module.js';
export { PublicEventsService, type EventPage } from './public-events/public-events.service.js';
