export { BuyerRetentionService } from './account/buyer-retention.service.js';
export * from './account/account-erasure.service.js';
export * from './account/account-export.service.js';
export * from './account/account-links.js';
export { AccountMailsService } from './account/account-mails.service.js';
export { type AccountPerson } from './account/account-person.js';
export { accountLinkMinutes, AccountSessionsService, accountSessionHours, TooManyLinks } from './account/account-sessions.service.js';
export {
  type AccountBookingState,
  type AccountBooking,
  type AccountList,
  type AccountMembership,
  AccountsService,
} from './account/accounts.service.js';
export type { GivenAnswers } from './answers/answer-rules.js';
export type { AnswerValue } from './entities/answer.entity.js';
export { AnswersService, type AskedQuestion } from './answers/answers.service.js';
export * from './audit/audit.service.js';
export * from './audit/ledger-audit.service.js';
export * from './booking.module.js';
export { bookingProblem } from './booking.problems.js';
export type { DraftContact } from './drafts/contact.js';
export { CartCompletionService } from './carts/cart-completion.service.js';
export type { ChosenMembership } from './carts/cart-memberships.js';
export { CartSavingsService, type CartSaving, type CartSavings, type JoiningSaving } from './savings/cart-savings.service.js';
export { RefusedCartPart } from './carts/cart-refusals.js';
export { cartAmount, shownIds, type CartContents, type OrderedCart } from './carts/ordered-cart.js';
export { CartVerificationService, type RefusedCart } from './carts/cart-verification.service.js';
export { CartsService } from './carts/carts.service.js';
export { isSignedIn } from './drafts/contact.js';
export { type CompletedReservation } from './drafts/completed-rows.js';
export { DraftCompletionService, type OrderedTickets } from './drafts/draft-completion.service.js';
export { RefusedDraft } from './drafts/draft-refusals.js';
export * from './drafts/drafts.service.js';
export type { DraftChoice, DraftLine } from './drafts/wanted-draft.js';
export { EventCancellationsService } from './changes/event-cancellations.service.js';
export { ReservationChangesService } from './changes/reservation-changes.service.js';
export * from './entities/email-correction.entity.js';
export * from './corrections/email-corrections.service.js';
export { referenceOf } from './documents/booking-facts.js';
export { ExampleMailsService } from './documents/example-mails.service.js';
export { MailSenderService } from './documents/sending/mail-sender.service.js';
export * from './documents/sending/receipts.service.js';
export { mostPrinted, TooManyTickets, TicketDocumentsService } from './documents/sending/ticket-documents.service.js';
export { noticeAudiences, type NoticeAudience } from './notices/event-notice.entity.js';
export { type SentNotice, EventNoticesService, announcedMove } from './notices/event-notices.service.js';
export { longestSubject, type NoticeTexts } from './notices/notice-texts.js';
export { emailKey } from './email-key.js';
export * from './holder-links.js';
export { type ExpectedRefund, HolderCancellationsService, expectedRefunds } from './holders/holder-cancellations.service.js';
export { HolderTicketsService } from './holders/holder-tickets.service.js';
export { TicketTransfer } from './holders/ticket-transfer.entity.js';
export { type HolderName, holderTexts, longestNote } from './holder-texts.js';
export { sellsGoodsSql, type GoodsOnSale, type GoodsPrice } from './inventory/goods-on-sale.js';
export { mostUnpaid } from './inventory/limits.js';
export { type Sale, OnSaleService } from './inventory/on-sale.service.js';
export { RefusedBooking, RefusedTransition } from './inventory/refused-booking.js';
export { roughlyLeftSql, soldForGoodSql, soldOutSql } from './inventory/remaining.js';
export { fullSql, takenPlacesSql } from './inventory/taken.js';
export { mailKinds, mailStates, type MailStatus, Mail } from './entities/mail.entity.js';
export { checkedTexts, isMailTextKind, mailTextKinds, mailTextLimits, partsOfKind, placeholdersOf } from './mails/mail-text-rules.js';
export type { MailTextKind, MailTextSubject } from './mails/mail-text-rules.js';
export * from './mails/mail-texts.service.js';
export { MailsService } from './mails/mails.service.js';
export { type WholeMembership } from './memberships/membership-rows.js';
export { TooManyMemberships } from './memberships/membership-limits.js';
export { renewalAmount } from './memberships/membership-terms.js';
export { MembershipAnswer, toSchemaOrgMembership } from './memberships/membership.dto.js';
export * from './entities/membership.entity.js';
export { MembershipsService } from './memberships/memberships.service.js';
export { isForCart, type AskedMembershipOffer, type MembershipOffer } from './memberships/membership-offers.js';
export { type Renewal, MembershipOrdersService, awaitsAddress } from './memberships/membership-orders.service.js';
export * from './memberships/membership-reminders.service.js';
export { type NewMembership } from './memberships/new-membership.js';
export { reservationVatSql, soldVatRateSql, ticketVatSql, vatInSql } from './documents/vat.sql.js';
export * from './new-reservations/bookings.service.js';
export { CounterSalesService, RefusedSalePart, type CounterSale, type CounterSold } from './counter/counter-sales.service.js';
export type { NewReservation } from './new-reservations/new-reservation.js';
export { BookingQueueService, type Held, type RefusedPlace, type Waits } from './queue/booking-queue.service.js';
export * from './entities/reservation-option.entity.js';
export {
  reservationStates,
  type ReservationStatus,
  reservationTransitions,
  isHold,
  awaitsConfirmation,
  cancelReasons,
} from './entities/reservation-states.js';
export { toSchemaOrgReservation, type TicketCodes } from './reservations/reservation.dto.js';
export * from './entities/reservation.entity.js';
export { type ReservationFilter, ReservationsService } from './reservations/reservations.service.js';
export { ticketStates, type TicketStatus, ticketTransitions, isGoodsAlone } from './entities/ticket-states.js';
export * from './entities/ticket.entity.js';
export { TicketsService } from './reservations/tickets.service.js';
export { totalOf, type ShownReservation } from './reservations/shown-reservation.js';
export { type WholeReservation } from './reservations/whole-reservation.js';
export { CodeReplacementService } from './signing/code-replacement.service.js';
export { renderCode, parseCode, parseCodeData } from './signing/qr-code.js';
export * from './entities/signing-key.entity.js';
export { SigningKeysService } from './signing/signing-keys.service.js';
export { validMembershipSql } from './valid-membership.js';
export { ReservationAnswer } from './reservations/reservation-answer.dto.js';
export { WebhookTicket } from './reservations/ticket.dto.js';
export * from './waiting/waiting-entry.entity.js';
export * from './waiting/waiting-links.js';
export { WaitingListService } from './waiting/waiting-list.service.js';
export * from './waiting/waiting-offers.service.js';
export { RefusedWaiting } from './waiting/waiting-refusals.js';
export { mostPlaces, type ShownEntry } from './waiting/waiting-rows.js';
