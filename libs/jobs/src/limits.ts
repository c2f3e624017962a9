import type { LimitTable } from '#kernel';

export const limits = {
  jobs: { number: 4, unit: 'jobs', of: 'background jobs of a process', why: 'scans wait for connections while mails are sent' },
  jobsOfTenant: { number: 2, unit: 'jobs', of: 'these jobs of one tenant', why: 'mails of one tenant delay those of all others' },
  bulkJobs: {
    number: 2,
    unit: 'jobs',
    of: 'these jobs that send mails to many people, one of each tenant',
    why: 'tickets wait while a venue writes to thousands',
  },
  poll: { ms: 1000, of: 'rounds of jobs without a signal', why: 'mails wait when a signal is lost' },
  migratingPause: { number: 5, unit: 's', of: 'pause of jobs whose tenant is migrated', why: 'they are claimed again and again' },
  servedTenants: { number: 1000, unit: 'tenants', of: 'tenants whose turn is remembered', why: 'made-up tenants fill the memory' },
  stopGrace: {
    ms: 5000,
    of: 'wait for running work when a process stops',
    why: 'the supervisor kills the process',
    beyond: 'another process repeats the work',
  },
} as const satisfies LimitTable;
