export { CartCompletionService } from './carts/cart-completion.service.js';
export type { DonationChoice } from './donations/donation.js';
export { roundStepOf, roundUps } from './donations/round-up.js';
export type { ChosenMembership } from './carts/cart-memberships.js';
export { RefusedCartPart } from './carts/cart-refusals.js';
export { CartVerificationService, type RefusedCart } from './carts/cart-verification.service.js';
export { CodeConfirmationService, forgetCode } from './carts/code-confirmation.service.js';
export { type CodeAtEvent, EnteredCodesService } from './codes/entered-codes.service.js';
export type { MissingDiscount } from './discounts/missing-discounts.js';
export type { ChosenPass } from './passes/cart-passes.js';
export { CartsService } from './carts/carts.service.js';
export { type CartContents, type OrderedCart, cartAmount, shownIds } from './carts/ordered-cart.js';
export { ReaderSalesService } from './counter/reader-sales.service.js';
export { CounterQuotesService } from './counter/counter-quotes.service.js';
export { type CounterSale, CounterSalesService, type CounterSold, RefusedSalePart } from './counter/counter-sales.service.js';
export type { CompletedReservation } from './drafts/completed-rows.js';
export { isForMembers } from './drafts/completed-state.js';
export { DraftCompletionService, type OrderedTickets } from './drafts/draft-completion.service.js';
export { DraftExpiryService } from './drafts/draft-expiry.service.js';
export { RefusedDraft } from './sales/draft-refusals.js';
export { lockDraftRow } from './drafts/draft-rows.js';
export { DraftsService } from './drafts/drafts.service.js';
export { refuseMoreMails, refuseUnconfirmed } from './drafts/unconfirmed-orders.js';
export { checkSize } from './rules/size.js';
export type { DraftChoice, DraftLine } from './drafts/wanted-draft.js';
export { BookingTurnsService } from './new-reservations/booking-turns.service.js';
export { BookingsService } from './new-reservations/bookings.service.js';
export type { NewReservation } from './new-reservations/new-reservation.js';
export { type CartSaving, type CartSavings, CartSavingsService, type JoiningSaving } from './savings/cart-savings.service.js';
export { SellingModule, sellingEntities } from './selling.module.js';
export { Campaign } from './donations/campaign.entity.js';
export { givenSql, reachedSql, type ShownCampaign } from './donations/campaign.js';
export { TaxReceipt } from './donations/tax-receipt.entity.js';
export { TaxReceiptsService, type Donor, type OrderTaxReceipt } from './donations/tax-receipts.service.js';
export type { OfferedPlaces } from './donations/given-places.js';
export {
  campaignLimits,
  CampaignsService,
  type CampaignChange,
  type CountedCampaign,
  type NewCampaign,
} from './donations/campaigns.service.js';
export { DonationsService, type GivenDonation } from './donations/donations.service.js';
export { UnbookableEventsService } from './unbookable/unbookable-events.service.js';
export { isOversight, whyUnbookable, type UnbookableReason } from './unbookable/why-unbookable.js';
export { type OnlineOnly, VenueInsteadService } from './settlement/venue-instead.service.js';
