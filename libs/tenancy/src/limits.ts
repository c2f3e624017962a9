import type { LimitTable } from '#kernel';

const oneQuery = 'each request costs one more query';

export const limits = {
  connections: {
    turns: { name: 'connections', waiting: 1000 },
    of: 'connections (wait: `DATABASE_WAIT_MS`): half less one for a tenant, all but three for its scans, all but two for the rest',
    why: 'a flood of one tenant, or one locked row, stops the sales and doors of all others',
    beyond: '503 `server.unavailable`',
    setting: 'DATABASE_POOL_SIZE',
  },
  passwords: {
    turns: { name: 'passwords', total: 2, each: 2, waiting: Infinity, waitMs: 30_000 },
    of: 'password hashes; those who sign in take turns',
    why: 'scans wait while many try passwords: a hash takes 40 ms of a processor',
    beyond: '503 `server.unavailable`',
  },
  networkPasswords: {
    turns: { name: 'network_passwords', total: 32, each: 12, waiting: 0 },
    of: 'sign-ins under way from unknown browsers, by network',
    why: 'staff wait for minutes behind a flood of guesses; together with the two below, a wait takes two seconds at most',
    beyond: '503 `server.unavailable`',
  },
  browserPasswords: {
    turns: { name: 'browser_passwords', total: 16, each: 4, waiting: 0 },
    of: 'sign-ins under way from known browsers, by person',
    why: 'see above',
    beyond: '503 `server.unavailable`',
  },
  staffPasswords: {
    turns: { name: 'staff_passwords', total: 64, each: 16, waiting: 0 },
    of: 'passwords that staff set or confirm, by tenant',
    why: 'see above',
    beyond: '503 `server.unavailable`',
  },
  hostLookUps: {
    turns: { name: 'host_look_ups', total: 2, each: 2, waiting: 200, waitMs: 2000 },
    of: 'look-ups of hosts that were not found lately',
    why: 'made-up host names take the connections of tenants',
    beyond: '503 `server.busy`',
  },
  unverifiedKeys: {
    turns: { name: 'unverified_keys', total: 4, each: 1, waiting: 200, waitMs: 2000 },
    of: 'look-ups of device keys that were not accepted before',
    why: 'made-up keys take the connections that are kept for scans',
    beyond: '503 `server.busy`',
  },
  hosts: { kept: { most: 5000, ttlMs: 1000 }, of: 'tenants by host', why: oneQuery },
  unknownHosts: {
    kept: { most: 5000, ttlMs: 1000 },
    of: 'hosts without a tenant; apart, so that made-up names do not push out real ones',
    why: 'scanners of the internet make a query with each request',
  },
  knownHosts: {
    kept: { most: 20_000, ttlMs: 600_000 },
    of: 'hosts that were found; their look-ups wait for nobody',
    why: 'visitors wait behind made-up host names',
  },
  fallbackHosts: {
    kept: { most: 50, ttlMs: 600_000, renewed: true },
    of: 'addresses for which the default tenant answers; few, because clients can make them up',
    why: 'a demo on an IP address counts as unknown host until it is refused',
  },
  firstMeta: { kept: { most: 1, ttlMs: 1000 }, of: 'the first Meta', why: oneQuery },
  origins: { kept: { most: 2000, ttlMs: 1000 }, of: 'origins that the keys of a tenant list', why: oneQuery },
  countedKeys: {
    kept: { most: 20_000, ttlMs: 600_000, renewed: true },
    of: 'keys that were accepted: their requests do not count for their network',
    why: 'all devices behind one address share one bucket',
  },
  keys: {
    kept: { most: 20_000, ttlMs: 1000 },
    of: 'keys; the statement of a scan or booking checks again',
    why: 'each scan takes a second query',
  },
  usedKeys: { kept: { most: 20_000, ttlMs: 60_000 }, of: 'keys whose last use was written', why: 'each scan writes one more row' },
  acceptedKeys: {
    kept: { most: 20_000 },
    of: 'secrets (hashes) of device keys that were accepted: their look-ups go before other work',
    why: 'devices wait behind made-up keys',
  },
  newSessions: {
    kept: { most: 10_000, ttlMs: 600_000 },
    of: 'sessions of the panel between sign-in and first save',
    why: 'none: needed to tell a new session from one that was deleted',
  },
  quotas: { kept: { most: 1000, ttlMs: 5000 }, of: 'quotas of tenants', why: 'each mail and booking takes one more query' },
  reservedUnits: {
    kept: { most: 3000 },
    of: 'units of daily quotas that this process took in advance',
    why: 'each mail and booking writes one more row',
  },
  toldQuotas: { kept: { most: 3000 }, of: 'quotas of whose use operators were told', why: 'each mail of a full tenant makes a query' },
  sizes: {
    kept: { most: 1, ttlMs: 60_000 },
    of: 'sizes of the database for *Server health*',
    why: 'each look at the page asks for the sizes of all files',
  },
  statements: { kept: { most: 10_000 }, of: 'texts of statements by tenant', why: 'each query is written anew' },
  unreleasedKeys: {
    number: 1000,
    unit: 'keys',
    of: 'idempotency keys that are released when the database is back',
    why: 'a long outage fills the memory',
    beyond: '409 `idempotency.in_progress` for a minute',
  },
  releasePause: {
    ms: 5000,
    of: 'longest pause between two attempts to release an idempotency key; it begins with 200 ms and doubles',
    why: 'clients that repeat a request after an outage get 409 for a minute',
  },
  signalPause: {
    ms: 50,
    of: 'pause between two signals (NOTIFY) of a process',
    why: 'commits of scans and sales wait for each other: NOTIFY takes a lock that all need',
  },
  signalReopening: {
    ms: 2000,
    of: 'pause before the connection for signals is opened again',
    why: 'a database that is away gets a connection attempt after the other',
  },
  migratedNodes: {
    number: 8,
    unit: 'servers',
    of: 'database servers that are migrated at once',
    why: 'a start with many servers opens a connection to each',
    beyond: 'the next one waits',
  },
  moves: { ms: 10_000, of: 'wait for another process that moves the same tenant', why: 'two processes copy one tenant' },
  serverLook: {
    ms: 3000,
    of: 'wait for the size of a database server that is listed',
    why: 'a server that is down keeps the list of all back',
  },
  nodeInterval: { ms: 30_000, of: 'readings of the list of database servers', why: 'a tenant on a new server waits for its first request' },
  nodeAnswer: {
    ms: 3000,
    of: 'wait for the answer of a database server, and pause between two such questions',
    why: 'requests for a server whose machine is gone wait for their connections, each `DATABASE_WAIT_MS`',
    beyond: '503 `server.unavailable` for its tenants alone',
  },
  nodeReturn: { ms: 1000, of: 'pause before a database server that does not answer is asked again', why: 'its tenants stay away longer' },
  clockInterval: { ms: 30_000, of: 'measurements of the clock of the database', why: 'a server with a wrong clock shows wrong sale times' },
  stopGrace: {
    ms: 5000,
    of: 'wait for the migration of a tenant when a process stops',
    why: 'the supervisor kills the process',
    beyond: 'PostgreSQL rolls the migration back',
  },
} as const satisfies LimitTable;
