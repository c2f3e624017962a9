export { AccountErasureService, type ErasureObstacle } from './account/account-erasure.service.js';
export { AccountExportService } from './account/account-export.service.js';
export { AccountLinks } from './account/account-links.js';
export { AccountMailsService } from './account/account-mails.service.js';
export type { AccountPerson } from './account/account-person.js';
export { AccountSessionsService, TooManyLinks, accountLinkMinutes, accountSessionHours } from './account/account-sessions.service.js';
export {
  type AccountBooking,
  type AccountBookingState,
  type AccountList,
  type AccountMembership,
  AccountsService,
} from './account/accounts.service.js';
export { BuyerRetentionService } from './account/buyer-retention.service.js';
export { EmailCorrection } from './corrections/email-correction.entity.js';
export { type Corrected, EmailCorrectionsService } from './corrections/email-corrections.service.js';
export { HolderTicketsService } from './holders/holder-tickets.service.js';
export { longestGiftMessage } from './holders/new-holder.js';
export { offerStandsSql } from './holders/offer-rules.js';
export { type FoundOffer, type PendingOffer, TicketOffersService } from './holders/ticket-offers.service.js';
export { TicketTransfer, type TransferState } from './holders/ticket-transfer.entity.js';
export { type OpenContract, WithdrawalsService } from './withdrawals/withdrawals.service.js';
export { holderEntities, HoldersModule } from './holders.module.js';
