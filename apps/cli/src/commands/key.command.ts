import { databaseNow } from '#kernel';
import { InvalidArgumentError, type Command } from 'commander';
import { CodeReplacementService, SigningKeysService } from '#tickets';
import { ApiKey, ApiKeysService, parseScopes, TenantDb, type Scope, type TenantIdentity } from '#tenancy';
import { Refusal } from '../terminal/failure.js';
import { clock, documented, guichet, say, show, table } from '../terminal/output.js';
import { iso, withSession, type Session } from '../terminal/session.js';
import { knownUser } from './user-lookup.js';

interface TenantOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface CreateOptions extends TenantOptions {
  readonly name: string;
  readonly scopes: Scope[];
  readonly days?: number;
  readonly address?: string[];
  readonly origin?: string[];
  readonly owner?: string;
}

const ofTenant = ['--tenant <slug>', 'the tenant it belongs to'] as const;

/** `key create`, `list`, `revoke`, and `list-signing`, `rotate-signing` and `revoke-signing`. */
export function keyCommands(noun: Command): void {
  const create = noun
    .command('create')
    .description('Creates an integration key and prints it once: only its hash is stored.')
    .requiredOption(...ofTenant)
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption(
      '--scopes <scopes>',
      'all, or some of event,product,reservation,ticket,membership,place,webhook, each also with :read or :write',
      readScopes,
    )
    .option('--days <number>', 'expires after so many days (default: never)', readDays)
    .option('--address <address...>', 'works from these addresses and networks only (default: any)')
    .option('--origin <origin...>', 'web pages of these origins may use it, such as https://app.example.org (default: none)')
    .option('--owner <email>', 'the user it acts for');
  documented(create, {
    'key create --tenant demo --name Agenda --scopes all': 'prints the key alone',
    'key create --tenant demo --name Door --scopes ticket:read,event --json': 'prints {"id", "key", "name", "scopes", "expires_at"}',
  }).action(createKey);

  const list = noun
    .command('list')
    .description('Lists integration and device keys, without their secrets.')
    .requiredOption(...ofTenant);
  documented(list, {
    'key list --tenant demo': 'prints a table of id, kind, state, last use and name',
    'key list --tenant demo --json': 'prints an array of the same with scopes, addresses and origins',
  }).action(listKeys);

  const revoke = noun
    .command('revoke')
    .description('Revokes a key permanently: its next request is refused. A device must be paired again.')
    .argument('<id>', 'the id from the list, or the key itself')
    .requiredOption(...ofTenant);
  documented(revoke, { 'key revoke 3fXk20aBcD9e --tenant demo': 'prints the id' }).action(revokeKey);

  const rotate = noun
    .command('rotate-signing')
    .description('Signs new tickets with a new key from now on. Existing tickets stay valid.')
    .requiredOption(...ofTenant);
  documented(rotate, { 'key rotate-signing --tenant demo': 'prints the number of the new key' }).action(rotateSigning);

  const listSigning = noun
    .command('list-signing')
    .description('Lists the keys that sign tickets, and the number of codes of revoked keys that are not replaced yet.')
    .requiredOption(...ofTenant);
  documented(listSigning, {
    'key list-signing --tenant demo': 'prints a table of number, state and creation',
    'key list-signing --tenant demo --json': 'prints {"keys": [{"id", "state", "created_at"}], "left": {"tickets", "memberships"}}',
  }).action(listSigningKeys);

  const revokeSigning = noun
    .command('revoke-signing')
    .description(
      'Revokes a key that signs tickets, because somebody else may have it. The codes that it signed become invalid. ' +
        'A running server or\n' +
        'worker signs valid tickets and membership cards anew and mails them to their holders.',
    )
    .requiredOption(...ofTenant)
    .option('--key <number>', 'the number of the key (default: the current one)', readKeyNumber);
  documented(revokeSigning, { 'key revoke-signing --tenant demo': 'prints the number of the revoked key' }).action(revokeSigningKey);
}

async function createKey(options: CreateOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const { name, scopes, days, address, origin, owner } = options;
      const expiresAt = days === undefined ? null : new Date(databaseNow().getTime() + days * 86_400_000);
      const { id, key } = await session.service(ApiKeysService).createIntegrationKey({
        name,
        scopes,
        ...(owner === undefined ? {} : { ownerId: (await knownUser(session, owner)).id }),
        ...(expiresAt ? { expiresAt } : {}),
        ...(address ? { allowedAddresses: address } : {}),
        ...(origin ? { allowedOrigins: origin } : {}),
      });
      show(options, { id, key, name, scopes, expires_at: iso(expiresAt, tenant) }, key);
      say('The key is shown only now.');
    }),
  );
}

async function listKeys(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const keys = await findKeys(session, tenant);
      const document = keys.map((key) => ({
        id: key.id,
        kind: kindOf(key),
        name: key.name,
        state: stateOf(key),
        scopes: key.scopes,
        allowed_addresses: key.allowedAddresses,
        allowed_origins: key.allowedOrigins,
        device_uuid: key.deviceId,
        expires_at: iso(key.expiresAt, tenant),
        revoked_at: iso(key.revokedAt, tenant),
        last_used_at: iso(key.lastUsedAt, tenant),
        created_at: iso(key.createdAt, tenant),
      }));
      const rows = keys.map((key) => [key.id, kindOf(key), stateOf(key), clock(key.lastUsedAt, tenant.timeZone), key.name]);
      show(options, document, table(['ID', 'KIND', 'STATE', 'LAST USED', 'NAME'], rows, 'There is no key.'));
    }),
  );
}

async function revokeKey(idOrKey: string, options: TenantOptions): Promise<void> {
  // After a leak the operator may know only the key itself.
  const id = /^(?:(?:gkey|gdev)_)?([0-9A-Za-z]{12})(?:_[0-9A-Za-z]+)?$/.exec(idOrKey)?.[1];
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const key = (await findKeys(session, tenant)).find((each) => each.id === id);
      if (!key) throw new Refusal(`The tenant ${tenant.slug} has no such key. Its keys: ${guichet} key list --tenant ${tenant.slug}`);
      if (key.revokedAt) say(`It was revoked already, ${clock(key.revokedAt, tenant.timeZone)}.`);
      await session.service(TenantDb).transaction((tx) => session.service(ApiKeysService).revoke(tx, key.id));
      show(options, { id: key.id, name: key.name, state: 'revoked' }, key.id);
    }),
  );
}

async function rotateSigning(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const id = await session.service(SigningKeysService).rotate();
      show(options, { tenant: tenant.slug, signing_key_id: id }, String(id));
    }),
  );
}

async function listSigningKeys(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const keys = (await session.service(SigningKeysService).list()).map((key) => ({
        id: key.id,
        state: key.revokedAt ? 'revoked' : key.retiredAt ? 'verifies' : 'signs',
        created_at: iso(key.createdAt, tenant),
      }));
      const left = await session.service(CodeReplacementService).left();
      const rows = keys.map(({ id, state, created_at: at }) => [id, state, at]);
      show(options, { keys, left }, table(['KEY', 'STATE', 'CREATED'], rows, 'There is no key.'));
      if (left.tickets + left.memberships > 0)
        say(`Codes still to be replaced: ${left.tickets} of tickets, ${left.memberships} of memberships.`);
    }),
  );
}

async function revokeSigningKey(options: TenantOptions & { readonly key?: number }): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const replacement = session.service(CodeReplacementService);
      const id = await replacement.revoke(options.key);
      const { tickets, memberships } = await replacement.left();
      show(options, { tenant: tenant.slug, revoked_signing_key_id: id, left: { tickets, memberships } }, String(id));
      say(
        `${tickets} tickets and ${memberships} memberships get new codes in the background: ` +
          `${guichet} key list-signing --tenant ${tenant.slug}`,
      );
    }),
  );
}

function readKeyNumber(text: string): number {
  const id = Number(text);
  if (Number.isInteger(id) && id >= 1 && id <= 255) return id;
  throw new InvalidArgumentError('Write a number from 1 to 255.');
}

function findKeys(session: Session, tenant: TenantIdentity): Promise<ApiKey[]> {
  return session.service(TenantDb).shared((tx) => tx.find(ApiKey, { where: { tenantId: tenant.id }, order: { createdAt: 'DESC' } }));
}

function kindOf(key: ApiKey): string {
  return key.kind === 'gdev' ? 'device' : 'integration';
}

function stateOf(key: ApiKey): string {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= databaseNow()) return 'expired';
  return key.suspendedAt ? 'suspended' : 'usable';
}

function readScopes(text: string): Scope[] {
  try {
    return parseScopes(text);
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
}

function readDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw new InvalidArgumentError('Write whole days from 1.');
}
