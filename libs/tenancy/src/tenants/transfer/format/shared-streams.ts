import type { RowStream } from './transfer-format.js';

/** Rows of a shared table that are exported with a tenant. */
export interface SharedStream extends RowStream {
  /** Columns of the table in the staging schema, with their types. The first ones are its key. */
  readonly definition: string;
  /** SQL after `select`; `$tenant` stands for the tenant's id. */
  readonly select: string;
  readonly orderBy: string;
}

const definitions: readonly Omit<SharedStream, 'columns' | 'sealed'>[] = [
  {
    name: 'shared.domain',
    definition: 'host text, is_primary boolean',
    select: `host, is_primary from shared.domain where tenant_id = $tenant`,
    orderBy: 'host collate "C"',
  },
  {
    // Administrators and owners of keys, without their passwords and their rights on the server.
    name: 'shared.user_account',
    definition: 'id uuid, email text, name text, language text, administrator boolean, granted_at timestamptz',
    select: `u.id, u.email, u.name, u.language, a.user_id is not null as administrator, a.granted_at
      from shared.user_account u left join shared.tenant_administrator a on a.user_id = u.id and a.tenant_id = $tenant
      where a.user_id is not null or exists (select 1 from shared.api_key k where k.tenant_id = $tenant and k.owner_id = u.id)`,
    orderBy: 'id',
  },
  {
    // Stores the SHA-256 of a secret of 256 bits, which does not depend on the server secret, so that keys remain valid.
    name: 'shared.api_key',
    definition: `id text, kind text, name text, secret_hash bytea, device_id uuid, owner_id uuid, scopes text[], allowed_addresses text[],
      allowed_origins text[], expires_at timestamptz, suspended_at timestamptz, revoked_at timestamptz, last_used_at timestamptz,
      created_at timestamptz`,
    select: `id, kind, name, secret_hash, device_id, owner_id, scopes, allowed_addresses, allowed_origins, expires_at, suspended_at,
      revoked_at, last_used_at, created_at from shared.api_key where tenant_id = $tenant`,
    orderBy: 'id collate "C"',
  },
  {
    name: 'shared.outbox',
    definition: 'ordinal bigint, id uuid, type text, subject_id text, sequence integer, occurred_at timestamptz, data json',
    select: `ordinal, id, type, subject_id, sequence, occurred_at, data from shared.outbox where tenant_id = $tenant`,
    orderBy: 'ordinal',
  },
  {
    name: 'shared.webhook_queue',
    definition: 'endpoint_id uuid, due_at timestamptz, failing boolean',
    select: `endpoint_id, due_at, failing from shared.webhook_queue where tenant_id = $tenant`,
    orderBy: 'endpoint_id',
  },
  {
    // A job that is running at the moment is due on the other server when its lease ends.
    name: 'shared.job',
    definition: 'kind text, subject_id uuid, due_at timestamptz, attempts integer, revision integer, last_error text',
    select: `kind, subject_id, coalesce(due_at, leased_until) as due_at, attempts, revision, last_error from shared.job
      where tenant_id = $tenant`,
    orderBy: 'kind collate "C", subject_id',
  },
];

export const sharedStreams: readonly SharedStream[] = definitions.map((stream) => ({
  ...stream,
  columns: stream.definition.split(',').map((column) => column.trim().split(' ')[0] as string),
  sealed: [],
}));

/** Tables of a tenant that are not exported, with the reason. */
export const tablesThatStay: Readonly<Record<string, string>> = {
  booking_queue: 'people who wait for their turn on this server for a few minutes',
  ended_hold: 'tickets that networks of buyers gave up on this server within a day',
  idempotent_request: 'answers to requests of the last 24 hours that a client may send again to the same server',
  account_session: 'links and sessions of visitors, who ask for a new link there',
};

/** Shared tables with tenant references that are not exported as a stream, with the reason. */
export const sharedTablesThatStay: Readonly<Record<string, string>> = {
  installation: 'the server itself',
  node: 'the server itself',
  chore: 'the server itself',
  spare_schema: 'the server itself',
  backup: 'the server itself',
  place_request: 'forms of people who want a place on this server',
  place_request_picture: 'forms of people who want a place on this server',
  tenant_quota: 'quotas that the operator of this server gave',
  tenant_usage: 'what was used on this server',
  tenant_welcome: 'first steps of a place that was just created',
  tenant: 'its facts are in the header of the file',
  tenant_administrator: 'travels with the users',
  role_grant: 'people whose right has limits are invited again on the other server',
  venue_role: 'belongs to the people, who are invited again on the other server',
  tenant_change: 'what operators of this server did; the import begins a new record',
  place: 'made from the profile at the import',
  card: 'NFC cards belong to the server; Root exports and imports them as CSV',
  support_visit: 'what operators of this server did',
  support_act: 'what operators of this server did',
  user_change: 'what operators of this server did',
  session: 'sign-ins end',
  panel_session: 'sign-ins end',
  password_link: 'links that were mailed by this server',
  invitation: 'links that were mailed by this server',
  second_factor: 'belongs to the sign-in of this server',
  recovery_code: 'belongs to the sign-in of this server',
  factor_rule: 'belongs to the people, who are invited again on the other server',
  passkey: 'belongs to the sign-in of this server',
  passkey_use: 'belongs to the sign-in of this server',
  sign_in_attempt: 'belongs to the sign-in of this server',
  network_member: 'networks are tenants of this server: the tenant asks to join those of the other one',
  network_card: 'made from the cards when the tenant shares them with a network of the other server',
  federated_event: 'made from the events when a network accepts the tenant',
};

/** Name of the staging table of a stream. */
export function stagedTable(stream: string): string {
  return stream.startsWith('shared.') ? `import_${stream.slice('shared.'.length)}` : stream.slice('tenant.'.length);
}
