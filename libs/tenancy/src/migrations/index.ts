import type { Migration } from './migration.js';
import { sharedMigrations } from './shared-migrations.js';
import { tenantFoundation } from './tenant-001-foundation.js';
import { tenantCatalogue } from './tenant-002-catalogue.js';
import { tenantBooking } from './tenant-003-booking.js';
import { tenantScanning } from './tenant-004-scanning.js';
import { tenantWebhooks } from './tenant-005-webhooks.js';
import { tenantIdempotency } from './tenant-006-idempotency.js';
import { tenantImages } from './tenant-007-images.js';
import { tenantSemanticEvents } from './tenant-008-semantic-events.js';
import { tenantReservations } from './tenant-009-reservations.js';
import { tenantProducts } from './tenant-010-products.js';
import { tenantPaymentAccounts } from './tenant-011-payment-accounts.js';
import { tenantMembershipCards } from './tenant-012-membership-cards.js';
import { tenantEventCancellations } from './tenant-013-event-cancellations.js';
import { tenantRefundTrouble } from './tenant-014-refund-trouble.js';
import { tenantIdempotentOutcome } from './tenant-015-idempotent-outcome.js';
import { tenantEventAddress } from './tenant-016-event-address.js';
import { tenantPaymentLedger } from './tenant-017-payment-ledger.js';
import { tenantQuestions } from './tenant-018-questions.js';
import { tenantFreeAmounts } from './tenant-019-free-amounts.js';
import { tenantDevicePermissions } from './tenant-020-device-permissions.js';
import { tenantInventory } from './tenant-021-inventory.js';
import { tenantKeptMails } from './tenant-022-kept-mails.js';
import { tenantVatOfSales } from './tenant-023-vat-of-sales.js';
import { tenantScanLogNames } from './tenant-024-scan-log-names.js';
import { tenantSearchTexts } from './tenant-025-search-texts.js';
import { tenantReplacedCodes } from './tenant-026-replaced-codes.js';
import { tenantEmailCorrections } from './tenant-027-email-corrections.js';
import { tenantProfile } from './tenant-028-profile.js';
import { tenantVolunteering } from './tenant-029-volunteering.js';
import { tenantPeople } from './tenant-030-people.js';
import { tenantEventSubtitle } from './tenant-031-event-subtitle.js';
import { tenantDrafts } from './tenant-032-drafts.js';
import { tenantTicketTransfers } from './tenant-033-ticket-transfers.js';
import { tenantAllowedSites } from './tenant-034-allowed-sites.js';
import { tenantAccentColour } from './tenant-035-accent-colour.js';
import { tenantHolderCancellations } from './tenant-036-holder-cancellations.js';
import { tenantPayAtVenue } from './tenant-037-pay-at-venue.js';
import { tenantSaleWindows } from './tenant-038-sale-windows.js';
import { tenantFewLeft } from './tenant-039-few-left.js';
import { tenantWaitingList } from './tenant-040-waiting-list.js';
import { tenantMembershipPages } from './tenant-041-membership-pages.js';
import { tenantCarts } from './tenant-042-carts.js';
import { tenantGates } from './tenant-043-gates.js';
import { tenantCartMemberships } from './tenant-044-cart-memberships.js';
import { tenantMailTexts } from './tenant-045-mail-texts.js';
import { tenantAccounts } from './tenant-046-accounts.js';
import { tenantBookingQueue } from './tenant-047-booking-queue.js';
import { tenantWalletAccounts } from './tenant-048-wallet-accounts.js';
import { tenantJournals } from './tenant-049-journals.js';
import { tenantDeviceRoles } from './tenant-050-device-roles.js';
import { tenantDoorNotes } from './tenant-051-door-notes.js';
import { tenantAccountReturn } from './tenant-052-account-return.js';
import { tenantConflictDecisions } from './tenant-053-conflict-decisions.js';
import { tenantTeamCodes } from './tenant-054-team-codes.js';
import { tenantMovedDevices } from './tenant-055-moved-devices.js';
import { tenantDoorLeases } from './tenant-056-door-leases.js';
import { tenantCancelledTickets } from './tenant-057-cancelled-tickets.js';
import { tenantMembershipNetworks } from './tenant-058-membership-networks.js';
import { tenantNetworkSites } from './tenant-059-network-sites.js';
import { tenantDeviceDecisions } from './tenant-060-device-decisions.js';
import { tenantEventKinds } from './tenant-061-event-kinds.js';
import { tenantAlteredEvents } from './tenant-062-altered-events.js';
import { tenantFoundEvents } from './tenant-063-found-events.js';
import { tenantCompletedOrders } from './tenant-064-completed-orders.js';
import { tenantShortEntries } from './tenant-065-short-entries.js';
import { tenantDelayedMethods } from './tenant-066-delayed-methods.js';
import { tenantEndedHolds } from './tenant-067-ended-holds.js';
import { tenantWrongEvents } from './tenant-068-wrong-events.js';
import { tenantEventNotices } from './tenant-069-event-notices.js';
import { tenantCorrectedMethods } from './tenant-070-corrected-methods.js';
import { tenantEntryRules } from './tenant-071-entry-rules.js';
import { tenantEventSubjects } from './tenant-072-event-subjects.js';
import { tenantLoggedDownloads } from './tenant-073-logged-downloads.js';
import { tenantOwnCorrections } from './tenant-074-own-corrections.js';
import { tenantRefusedPayments } from './tenant-075-refused-payments.js';
import { tenantSaleVersions } from './tenant-076-sale-versions.js';
import { tenantProviderAccounts } from './tenant-077-payment-accounts.js';
import { tenantOrders } from './tenant-078-orders.js';
import { tenantPaymentOrders } from './tenant-079-payment-orders.js';
import { tenantLinesOfCarts } from './tenant-080-lines-of-carts.js';
import { tenantEventFacts } from './tenant-081-event-facts.js';
import { tenantTheHouse } from './tenant-082-the-house.js';
import { tenantBookingConfirmations } from './tenant-083-booking-confirmations.js';
import { tenantTicketOffers } from './tenant-084-ticket-offers.js';
import { tenantFollowers } from './tenant-085-followers.js';
import { tenantLookOfPages } from './tenant-086-look-of-pages.js';
import { tenantEventSeries } from './tenant-087-event-series.js';
import { tenantSharedPlaces } from './tenant-088-shared-places.js';
import { tenantPasses } from './tenant-089-passes.js';
import { tenantPracticeTickets } from './tenant-090-practice-tickets.js';
import { tenantMembershipRenewals } from './tenant-091-membership-renewals.js';
import { tenantFewerRelations } from './tenant-092-fewer-relations.js';
import { tenantFewestRelations } from './tenant-093-fewest-relations.js';
import { tenantChanges } from './tenant-094-changes.js';
import { tenantPrivacy } from './tenant-095-privacy.js';
import { tenantCodes } from './tenant-096-codes.js';
import { tenantWaitingCodes } from './tenant-097-waiting-codes.js';
import { tenantWithdrawals } from './tenant-098-withdrawals.js';
import { tenantDiscounts } from './tenant-099-discounts.js';
import { tenantDonations } from './tenant-100-donations.js';
import { tenantGiftCards } from './tenant-101-gift-cards.js';
import { tenantBankTransfers } from './tenant-102-bank-transfers.js';
import { tenantOnlineMethods } from './tenant-103-online-methods.js';
import { tenantKeysAsIndexes } from './tenant-104-keys-as-indexes.js';
import { tenantChosenDates } from './tenant-105-chosen-dates.js';
import { tenantMembershipCodes } from './tenant-106-membership-codes.js';
import { tenantOnAccount } from './tenant-107-on-account.js';
import { tenantCardReaders } from './tenant-108-card-readers.js';
import { tenantNetworkCards } from './tenant-109-network-cards.js';
import { tenantFewerIndexes } from './tenant-110-fewer-indexes.js';

export { statementsOf, type Migration } from './migration.js';
export { sharedMigrations } from './shared-migrations.js';

/** Migrations of every tenant's schema, in order. */
export const tenantMigrations: readonly Migration[] = [
  tenantFoundation,
  tenantCatalogue,
  tenantBooking,
  tenantScanning,
  tenantWebhooks,
  tenantIdempotency,
  tenantImages,
  tenantSemanticEvents,
  tenantReservations,
  tenantProducts,
  tenantPaymentAccounts,
  tenantMembershipCards,
  tenantEventCancellations,
  tenantRefundTrouble,
  tenantIdempotentOutcome,
  tenantEventAddress,
  tenantPaymentLedger,
  tenantQuestions,
  tenantFreeAmounts,
  tenantDevicePermissions,
  tenantInventory,
  tenantKeptMails,
  tenantVatOfSales,
  tenantScanLogNames,
  tenantSearchTexts,
  tenantReplacedCodes,
  tenantEmailCorrections,
  tenantProfile,
  tenantVolunteering,
  tenantPeople,
  tenantEventSubtitle,
  tenantDrafts,
  tenantTicketTransfers,
  tenantAllowedSites,
  tenantAccentColour,
  tenantHolderCancellations,
  tenantPayAtVenue,
  tenantSaleWindows,
  tenantFewLeft,
  tenantWaitingList,
  tenantMembershipPages,
  tenantCarts,
  tenantGates,
  tenantCartMemberships,
  tenantMailTexts,
  tenantAccounts,
  tenantBookingQueue,
  tenantWalletAccounts,
  tenantJournals,
  tenantDeviceRoles,
  tenantDoorNotes,
  tenantAccountReturn,
  tenantConflictDecisions,
  tenantTeamCodes,
  tenantMovedDevices,
  tenantDoorLeases,
  tenantCancelledTickets,
  tenantMembershipNetworks,
  tenantNetworkSites,
  tenantDeviceDecisions,
  tenantEventKinds,
  tenantAlteredEvents,
  tenantFoundEvents,
  tenantCompletedOrders,
  tenantShortEntries,
  tenantDelayedMethods,
  tenantEndedHolds,
  tenantWrongEvents,
  tenantEventNotices,
  tenantCorrectedMethods,
  tenantEntryRules,
  tenantEventSubjects,
  tenantLoggedDownloads,
  tenantOwnCorrections,
  tenantRefusedPayments,
  tenantSaleVersions,
  tenantProviderAccounts,
  tenantOrders,
  tenantPaymentOrders,
  tenantLinesOfCarts,
  tenantEventFacts,
  tenantTheHouse,
  tenantBookingConfirmations,
  tenantTicketOffers,
  tenantFollowers,
  tenantLookOfPages,
  tenantEventSeries,
  tenantSharedPlaces,
  tenantPasses,
  tenantPracticeTickets,
  tenantMembershipRenewals,
  tenantFewerRelations,
  tenantFewestRelations,
  tenantChanges,
  tenantPrivacy,
  tenantCodes,
  tenantWaitingCodes,
  tenantWithdrawals,
  tenantDiscounts,
  tenantDonations,
  tenantGiftCards,
  tenantBankTransfers,
  tenantOnlineMethods,
  tenantKeysAsIndexes,
  tenantChosenDates,
  tenantMembershipCodes,
  tenantOnAccount,
  tenantCardReaders,
  tenantNetworkCards,
  tenantFewerIndexes,
];

export { changeHashSql, contentHashSql, secretColumns, unrecordedColumns } from './shared-030-changes.js';

export { recordedTables } from './recorded-tables.js';

export const latestShared = sharedMigrations.length;
export const latestTenant = tenantMigrations.length;
/** The newest tenant migration that a program must know to work on a migrated schema. */
export const requiredTenant = tenantMigrations.findLast(({ additive }) => !additive)?.version ?? 0;
