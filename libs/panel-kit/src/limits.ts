import type { LimitTable } from '#kernel';

const tenantBusy = '429 `tenant.busy`';

export const limits = {
  exports: {
    turns: { name: 'exports', total: 2, each: 1, waiting: 5, waitMs: 60_000 },
    of: 'exports and printed lists',
    why: 'tables of 50,000 rows of several tenants fill the memory',
    beyond: tenantBusy,
  },
  readings: {
    turns: { name: 'panel_readings', total: 4, each: 2, waiting: 50, waitMs: 10_000 },
    of: 'sums and searches in the panel, which read whole tables',
    why: 'scans wait for connections while staff search',
    beyond: tenantBusy,
  },
  formTime: {
    number: 300,
    unit: 's',
    of: 'receiving a form of the panel',
    why: 'a slow sender keeps its turn',
    beyond: '408 `body.too_slow`',
  },
} as const satisfies LimitTable;
