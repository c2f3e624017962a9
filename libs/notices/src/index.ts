export { referenceOf } from './documents/booking-facts.js';
export { ExampleMailsService } from './documents/example-mails.service.js';
export { MailSourcesService } from './documents/mail-sources.service.js';
export { TaxReceiptDocumentsService } from './documents/sending/tax-receipt-documents.service.js';
export { CodeCardsService, mostCards } from './documents/code-cards.service.js';
export { GiftCardDocumentsService } from './documents/sending/gift-card-documents.service.js';
export { BookingFactsService } from './documents/booking-facts.service.js';
export { MailSenderService } from './documents/sending/mail-sender.service.js';
export { ReceiptsService, hasReceipt } from './documents/sending/receipts.service.js';
export { TicketDocumentsService, TooManyTickets, mostPrinted } from './documents/sending/ticket-documents.service.js';
export {
  type MailTextKind,
  type MailTextSubject,
  checkedTexts,
  isMailTextKind,
  mailTextKinds,
  mailTextLimits,
  partsOfKind,
  placeholdersOf,
} from './mails/mail-text-rules.js';
export { MailTextsService } from './mails/mail-texts.service.js';
export { FollowerLinks } from './following/follower-links.js';
export { Follower } from './following/follower.entity.js';
export { FollowersService, type ShownFollower, TooManyFollowers } from './following/followers.service.js';
export { NewDatesService } from './following/new-dates.service.js';
export { type NoticeAudience, noticeAudiences } from './notices/event-notice.entity.js';
export { EventRemindersService } from './notices/event-reminders.service.js';
export { toldCountSql } from './notices/notice-recipients.js';
export { EventNoticesService, type SentNotice, announcedMove, concernsGuests } from './notices/event-notices.service.js';
export { type NoticeTexts, longestSubject } from './notices/notice-texts.js';
export { noticeEntities, NoticesModule } from './notices.module.js';
