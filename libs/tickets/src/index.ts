export { amountToPay, checkSum } from './amounts/chosen-amounts.js';
export { reservationVatSql, soldVatRateSql, ticketVatSql, vatInSql } from './amounts/vat.sql.js';
export { CustomFormProperty, PersonAnswer, decimalAmount, paymentAddress, codeFormat } from './answer-parts.dto.js';
export {
  type GivenAnswer,
  type WholeAnswer,
  askedBy,
  askedByTicketsOf,
  inQuestionOrder,
  keepAnswers,
  loadAnswers,
} from './answers/answer-rows.js';
export type { GivenAnswers } from './answers/answer-rules.js';
export { answersAgain, answersOfMembership, answersOfReservation } from './answers/answer-sheet.js';
export { customFormOf } from './answers/answer.dto.js';
export { AnswersService, type AskedQuestion } from './answers/answers.service.js';
export { AuditService, type Drift, recount } from './audit/audit.service.js';
export { LedgerAuditService, type LedgerDrift } from './audit/ledger-audit.service.js';
export { bankHoldSql, expiryJob, waitingListJob } from './booking-jobs.js';
export { bookingProblem } from './booking.problems.js';
export { CodeImportsService, type CodeImportReport, type CodeLine, type CodeLineFault } from './codes/code-imports.service.js';
export { codeKey } from './codes/code-key.js';
export { forgetCodeUses, noteCodeUse } from './codes/code-lines.js';
export { namesPrice, withCode } from './codes/code-price.js';
export { Code, codeEffects, codeTargets } from './entities/code.entity.js';
export { CodesService, type CountedCode } from './codes/codes.service.js';
export { type CodeChange, type NewCode, readableText } from './codes/new-code.js';
export { claimOf, mostUnpaidOf } from './changes/claims.js';
export { EventCancellationsService } from './changes/event-cancellations.service.js';
export {
  type CancellationEnd,
  type ExpectedRefund,
  HolderCancellationsService,
  mayCancelBefore,
} from './changes/holder-cancellations.service.js';
export { noteMail, recordMailOutcome } from './changes/mail-outcomes.js';
export { ReservationChangesService } from './changes/reservation-changes.service.js';
export { ReservationPublisherService, reservationMessage } from './changes/reservation-publisher.service.js';
export type { AnswerValue } from './entities/answer.entity.js';
export { ReservationOption } from './entities/reservation-option.entity.js';
export {
  type ReservationOrigin,
  type ReservationStatus,
  awaitsConfirmation,
  awaitsConfirmationSql,
  isAtOnceSql,
  cancelReasons,
  isHold,
  reservationStates,
  reservationTransitions,
} from './entities/reservation-states.js';
export { Reservation } from './entities/reservation.entity.js';
export { SigningKey } from './entities/signing-key.entity.js';
export { type TicketStatus, isGoodsAlone, ticketStates, ticketTransitions } from './entities/ticket-states.js';
export { Ticket } from './entities/ticket.entity.js';
export { noteEnded } from './holds/ended-holds.js';
export {
  type HoldSettings,
  type NetworkKeys,
  type NetworkLimit,
  exceededMaximumSql,
  networkFitsSql,
  networkLimit,
} from './holds/network-limits.js';
export { type GoodsOnSale, type GoodsPrice, sellsGoodsSql } from './inventory/goods-on-sale.js';
export {
  type Lines,
  giveStockBack,
  linesOf,
  linesOfReservation,
  lockEvent,
  lockEvents,
  takeStock,
  takesMore,
  total,
} from './inventory/inventory.js';
export { mostUnpaid } from './inventory/limits.js';
export { saleFault } from './inventory/sale-fault.js';
export {
  type Offer,
  type OfferedCode,
  type WantedOffer,
  type OfferedEvent,
  type OfferedOption,
  type OfferedPrice,
  admits,
  deletedMeanwhile,
  eventSelling,
  loadOffer,
  onSaleSql,
} from './inventory/offers.js';
export { openDiscountsSql, type OfferedDiscount } from './discounts/offered-discounts.js';
export { type CountedDiscount, DiscountsService, usesOfDiscountSql } from './discounts/discounts.service.js';
export type { DiscountChange, NewDiscount } from './discounts/new-discount.js';
export { Discount, discountEffects, discountKinds, type SetPart } from './entities/discount.entity.js';
export { OffersService } from './inventory/offers.service.js';
export { OnSaleService, type Sale } from './inventory/on-sale.service.js';
export { type BookingConflict, RefusedBooking, RefusedTransition, type SaleFailure } from './inventory/refused-booking.js';
export { freeStockSql, leftOf, remainingOf, saleSql, soldForGoodSql, soldOutSql } from './inventory/remaining.js';
export {
  allUsesOfCodeSql,
  givenPlacesSql,
  isLiveSql,
  membershipUsesSql,
  promisedPlacesSql,
  usesByOthersSql,
  usesOfCodeSql,
} from './places/code-uses.js';
export { capacitySql, fewerSharedSql, fullSql, openPlacesSql } from './places/free-places.js';
export { takenSeatsSql } from './places/taken.js';
export { anybodyWaits, endsEntrySql, proposalLost, passedSql, roundSeconds, waitsStillSql } from './inventory/waiting.js';
export { bulkMailJob, mailJob } from './mails/mail-jobs.js';
export { Mail, type MailKind, type MailStatus, mailKinds, mailStates } from './mails/mail.entity.js';
export { MailsService, dueKind } from './mails/mails.service.js';
export { AskingPerson } from './people/asking-person.js';
export { type DraftContact, type PaymentWay, paymentWays, contactFaults, isSameMailbox, isSignedIn } from './people/contact.js';
export { emailFault, emailKey } from './people/email-addresses.js';
export { confirmationWaySql, isPlentifulSql, linkMinutes } from './holds/confirmation-time.js';
export { type CodeSubject, ConfirmationCodes } from './people/confirmation-codes.js';
export { HolderLinks, type LinkSubject } from './people/holder-links.js';
export { type HolderName, holderTexts, longestNote, nameOfHolder, refuseUnfitName } from './people/holder-names.js';
export { lockValidMembershipSql, validMembershipSql } from './people/valid-membership.js';
export { VerifiedEmail } from './people/verified-email.entity.js';
export { isVerifiedSql, lockAddress, mostConfirmationMails, rememberVerified } from './people/verified-emails.js';
export { ReservationAnswer } from './reservations/reservation-answer.dto.js';
export { EarlierOrdersService } from './reservations/earlier-orders.service.js';
export { type FollowUps, followUpValues, followUpsSql, mailAndJobsOf, tenantParameter } from './reservations/reservation-follow-ups.js';
export { type LockedReservation, enter, lockEventsOf, lockReservation, moveTickets } from './reservations/reservation-rows.js';
export { type TicketCodes, toSchemaOrgReservation } from './reservations/reservation.dto.js';
export { type ReservationFilter, ReservationsService } from './reservations/reservations.service.js';
export { type WholeOrder, WholeOrdersService } from './changes/whole-orders.service.js';
export { type ShownReservation, totalOf } from './reservations/shown-reservation.js';
export { TicketBody, WebhookTicket, toTicketBody } from './reservations/ticket.dto.js';
export { TicketsService } from './reservations/tickets.service.js';
export {
  codeTables,
  membershipOf,
  type UsedCode,
  usedCodeOf,
  usedDiscountsOf,
  type WholeReservation,
  loadReservations,
  withDiscounts,
  withPrices,
} from './reservations/whole-reservation.js';
export { AvailabilityService } from './sales/availability.service.js';
export { claimOfStranger, membershipsRequired, type KeptCode } from './sales/claim.js';
export { type NewHold, type NewTicket, type PaidPiece, type PlannedSale, soldAt } from './sales/planned-sale.js';
export { SeriesPoolsService } from './sales/series-pools.service.js';
export { SaleWriter } from './sales/sale-writer.service.js';
export { CodeReplacementService } from './signing/code-replacement.service.js';
export { parseCode, parseCodeData, renderCode } from './signing/qr-code.js';
export { SigningKeysService } from './signing/signing-keys.service.js';
export { hasWithdrawal } from './withdrawals/withdrawal-countries.js';
export { withdrawalEnd } from './withdrawals/withdrawal-period.js';
export { goodsWithdrawalEnd, isDistanceSale, wasPaidOnline, withdrawableGoods } from './withdrawals/withdrawable-goods.js';
export { ticketEntities, TicketsModule } from './tickets.module.js';
