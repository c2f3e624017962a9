import { recordedSince94, type RecordedTable } from './tenant-094-changes.js';
import { recordedWithCodes } from './tenant-096-codes.js';
import { recordedWithWithdrawals } from './tenant-098-withdrawals.js';
import { recordedWithOnlineMethods } from './tenant-103-online-methods.js';
import { recordedWithDiscounts } from './tenant-099-discounts.js';
import { recordedWithDonations } from './tenant-100-donations.js';
import { recordedWithGiftCards } from './tenant-101-gift-cards.js';
import { recordedWithTransfers } from './tenant-102-bank-transfers.js';
import { recordedWithCustomers } from './tenant-107-on-account.js';
import { recordedWithCardReaders } from './tenant-108-card-readers.js';

/** The tables of a tenant whose changes are recorded. */
export const recordedTables: Readonly<Record<string, RecordedTable>> = {
  ...recordedSince94,
  ...recordedWithCodes,
  ...recordedWithWithdrawals,
  ...recordedWithOnlineMethods,
  ...recordedWithDiscounts,
  ...recordedWithDonations,
  ...recordedWithGiftCards,
  ...recordedWithTransfers,
  ...recordedWithCustomers,
  ...recordedWithCardReaders,
};
