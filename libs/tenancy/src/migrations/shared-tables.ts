/**
 * Shared tables of which every database server (node) has all rows, with the reason. They are reference tables of Citus, in the order in
 * which they are made: foreign keys name earlier ones. A change of a row is a transaction on all nodes, so tables that requests write often
 * are `nodeTables`.
 */
export const referenceTables: Readonly<Record<string, string>> = {
  installation: 'the version of the shared schema, and whose secret seals the data',
  tenant: 'every node finds the tenant of a host',
  domain: 'every node finds the tenant of a host',
  user_account: 'people sign in to tenants of any node',
  tenant_administrator: 'people sign in to tenants of any node',
  venue_role: 'people sign in to tenants of any node',
  role_grant: 'people sign in to tenants of any node',
  second_factor: 'belongs to a person, who signs in to tenants of any node',
  recovery_code: 'belongs to a person, who signs in to tenants of any node',
  passkey: 'belongs to a person, who signs in to tenants of any node',
  factor_rule: 'people sign in to tenants of any node',
  tenant_quota: 'Root writes it, the node of the tenant reads it',
  place: 'one list of the places of all nodes',
  network_member: 'a network and its members are on any node',
  federated_event: 'the agenda of a network has events of all nodes',
  card: 'a card is valid for tenants of all nodes',
};

/** A shared table of which each node has its own rows. Its foreign keys name only tables of this kind. */
interface NodeTable {
  readonly why: string;
  /** Rows with this `tenant_id` are deleted with the tenant. */
  readonly ofTenant: boolean;
}

const ofTenant = (why: string): NodeTable => ({ why, ofTenant: true });
const other = (why: string): NodeTable => ({ why, ofTenant: false });

/** The other shared tables. */
export const nodeTables: Readonly<Record<string, NodeTable>> = {
  api_key: ofTenant('a key is used at its tenant, and its last use is written every minute'),
  outbox: ofTenant('written in the transactions of a tenant'),
  job: ofTenant('written in the transactions of a tenant'),
  webhook_queue: ofTenant('written in the transactions of a tenant'),
  panel_session: ofTenant('a session belongs to the panel of one tenant'),
  support_visit: ofTenant('a visit is used in the panel of its tenant'),
  tenant_welcome: ofTenant('read and written in the panel of its tenant'),
  tenant_usage: ofTenant('written by bookings and mails of a tenant'),
  password_link: ofTenant('works on the host of its tenant'),
  invitation: ofTenant('works on the host of its tenant'),
  network_card: ofTenant('written in the transactions of a tenant'),
  place_request: ofTenant('forms are filled in on the host of the first network'),
  support_act: other('deleted with its visit'),
  place_request_picture: other('deleted with its form'),
  tenant_change: other('append-only, which no reference table is; kept when the tenant is dropped'),
  user_change: other('append-only, which no reference table is; written beside other rows of the node'),
  session: other('not used any more'),
  sign_in_attempt: other('written at every wrong password'),
  passkey_use: other('written at every sign-in with a passkey'),
  node: other('the node itself'),
  chore: other('each node has its own tasks'),
  spare_schema: other('the schemas are on the node'),
  backup: other('written at home, by the server that made it'),
};
