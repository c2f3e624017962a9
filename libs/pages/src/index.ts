export { EventPagesService } from './event/event-pages.service.js';
export { SharedEventPagesService, type SharedEventPage } from './event/shared-event-pages.service.js';
export * from './pages.module.js';
export { PublicEventsService, type EventPage } from './public-events/public-events.service.js';
export { isPayable, type BookingForm, type TypedTickets } from './ticket-forms/booking-offer.js';
export { bookingWords, maximumWords } from './ticket-forms/booking.words.js';
export { JoiningNote } from './ticket-forms/joining-note.js';
export { closingWords, nextSaleChange, shutWords } from './ticket-forms/sale-words.js';
export { GoodsFields } from './ticket-forms/ticket-fields.js';
// TRANSITION
export { goodsFieldsHtml, joiningNote, waitingFormHtml } from './ticket-forms/transition.js';
export { WaitingListForm, type WaitingForm } from './ticket-forms/waiting-form.js';
export { waitingFormWords } from './ticket-forms/waiting-form.words.js';
