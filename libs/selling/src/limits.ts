import type { LimitTable } from '#kernel';

export const limits = {
  bookings: {
    turns: { name: 'bookings', waiting: 2000, waitingOfNetwork: 1000, waitMs: 30_000 },
    of: 'bookings: half of the connections less one for a tenant, all but three in total',
    why: 'scans and the panel find no connection while a sale opens',
    beyond: '429 `tenant.busy`',
    setting: 'DATABASE_POOL_SIZE',
  },
  donations: {
    rate: { count: 20, milliseconds: 3_600_000 },
    of: 'donations without tickets that one network begins',
    why: 'a stranger fills the ledger with payments that nobody makes',
    beyond: 'a refusal on the page',
  },
  donationBuckets: { kept: { most: 10_000 }, of: 'networks that began a donation', why: 'many networks fill the memory' },
  taxReceiptCopies: {
    number: 2192,
    unit: 'days',
    of: 'how long names and addresses of donors on tax receipts are kept',
    why: 'an organisation keeps copies for six years (livre des procédures fiscales, article L102 E), and nobody needs them longer',
  },
} as const satisfies LimitTable;
