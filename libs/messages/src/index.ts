export * from './documents/apple-pass.js';
export * from './documents/attachment-bytes.js';
export { eventCalendar } from './documents/event-calendar.js';
export { membershipPdf } from './documents/membership-pdf.js';
export * from './documents/receipt-pdf.js';
export { taxReceiptPdf } from './tax-receipts/tax-receipt-pdf.js';
export { transferPdf } from './documents/transfer-pdf.js';
export { onAccountMessage } from './transfers/on-account-mail.js';
export { transferDay, transferRows, transferWords } from './transfers/transfer-words.js';
export { ticketsPdf } from './documents/tickets-pdf.js';
export * from './documents/share-picture.js';
export { cardsSheet, type SheetCard, ticketsSheet } from './documents/tickets-sheet.js';
export type { ShareTexts } from './drawings/drawing.js';
export { chargeWords, placeLines } from './facts/event-facts.js';
export type {
  MailPlace,
  MailEvent,
  MailLine,
  MailTicket,
  BookingMailFacts,
  ConfirmEmailFacts,
  PayAtVenueFacts,
  ReservationMailFacts,
  Refund,
  RefundedFacts,
  ReceiptItem,
  ReceiptFacts,
  MembershipMailFacts,
} from './facts/mail-facts.js';
export { mailWords } from './facts/mail.words.js';
export { type MailBlock, paragraph, fineprint, button, facts, address, note } from './layout/mail-blocks.js';
export { type MailTenant, logoAttachment, mailFrame } from './layout/mail-frame.js';
export { placeholders, unknownPlaceholders, type OwnTexts, type PlaceholderGroup } from './layout/own-texts.js';
export * from './messages.module.js';
export { accountMessage } from './templates/account-mail.js';
export { followConfirmMessage, newDatesMessage, salesOpenMessage, tellConfirmMessage } from './templates/follower-mails.js';
export * from './templates/membership-notices.js';
export * from './templates/messages.js';
export { type GiftCardFacts, giftCardBoughtMessage, giftCardMessage, giftCardSheet } from './gift-cards/gift-card-mail.js';
export { withdrawalMessage } from './withdrawals/withdrawal-mail.js';
export { waitingMessage } from './templates/waiting-mails.js';
export { MailRefusedError, MailDelayedError } from './transport/mail-failure.js';
export type { MailMessage } from './transport/mail-message.js';
export { MailTransportService } from './transport/mail-transport.service.js';
