export { AccountReader } from './account/account-reader.service.js';
export { returnPathOf, signInPath } from './account/return-paths.js';
export { isForFrame, sitesOf } from './frame/sites.js';
export { goodsFieldsHtml, isPayable, joiningNote, type BookingForm, type TypedTickets } from './event/booking-form.html.js';
export { bookingWords, maximumWords } from './event/booking.words.js';
export { closingWords, nextSaleChange, shutWords } from './event/sale-words.js';
export { waitingFormHtml, type WaitingForm } from './event/waiting-form.html.js';
export { waitingFormWords } from './event/waiting-form.words.js';
export { EventPagesService } from './event/event-pages.service.js';
export { SharedEventPagesService, type SharedEventPage } from './event/shared-event-pages.service.js';
export { amountWords, priceWords } from './event-lists/price-words.js';
export { whenHtml } from './event-lists/event-times.js';
export {
  type Field,
  inputHtml,
  textareaHtml,
  selectHtml,
  checkboxHtml,
  faultHtml,
  faulty,
  written,
  summaryHtml,
  noticeHtml,
} from './forms/form-fields.html.js';
export { reader, valuesOf } from './forms/form-values.js';
export * from './forms/payment-looks.js';
export { pageCookie, pageCookieIn, type PageCookie } from './forms/cookies.js';
export { pageTenant, personalReply, publicReply } from './frame/page-answer.js';
export { pageWords } from './frame/pages.words.js';
export { pageFrame } from './frame/page-frame.js';
export { CartLinks } from './orders/cart-links.js';
export { OrderLinks } from './orders/order-links.js';
export * from './pages.module.js';
export { PublicEventsService, type EventPage, type Venue } from './public-events/public-events.service.js';
