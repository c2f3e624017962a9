import type { LimitTable } from '#kernel';

export const limits = {
  offers: {
    kept: { most: 2000, ttlMs: 2000 },
    of: 'offers; the write of a sale compares their versions',
    why: 'each sale of a rush reads the event again',
  },
  publicKeys: { kept: { most: 5000, ttlMs: 1000 }, of: 'public keys of a tenant', why: 'each scan takes one more query' },
  privateKeys: { kept: { most: 500, ttlMs: 60_000 }, of: 'decrypted private keys', why: 'each code takes a decryption' },
} as const satisfies LimitTable;
