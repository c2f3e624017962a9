import type { Command } from 'commander';
import { GrantsService, hasFactorSql, SecondFactorService, TenantDb, UsersService } from '#tenancy';
import { givenRight, roleHelp, type RightOptions } from '../people/given-right.js';
import { inviteCommand, takeInvitationBack } from '../people/invite.command.js';
import { Refusal, UsageError } from '../terminal/failure.js';
import { clock, documented, fields, say, show, table } from '../terminal/output.js';
import { withSession, type Session } from '../terminal/session.js';
import { readPassword } from '../terminal/stdin-password.js';
import { knownUser } from './user-lookup.js';

interface Rights {
  readonly tenant?: string;
  readonly superUser?: boolean;
  readonly createTenants?: boolean;
}

interface GrantOptions extends Rights {
  readonly email: string;
  readonly json?: boolean;
}

interface RoleOptions extends GrantOptions, RightOptions {
  readonly suspend?: boolean;
}

interface PasswordOptions {
  readonly email: string;
  readonly passwordStdin?: boolean;
  readonly json?: boolean;
}

interface CreateOptions extends GrantOptions, PasswordOptions {
  readonly name?: string;
}

interface RoleRow {
  readonly tenant: string;
  readonly role: string;
  readonly scope: 'all' | 'events' | 'kinds';
  readonly ends_at: string | null;
  readonly has_ended: boolean;
  /** Its last minute in the time of the tenant, `2027-12-31 23:59`. */
  readonly until: string | null;
  readonly suspended: boolean;
}

interface UserRow {
  readonly uuid: string;
  readonly email: string;
  readonly name: string;
  readonly super_user: boolean;
  readonly create_tenants: boolean;
  readonly second_factor: boolean;
  /** Slugs of the tenants that the user directs. */
  readonly tenants: string[];
  /** Rights with limits. */
  readonly roles: RoleRow[];
  readonly last_sign_in_at: Date | null;
  readonly created_at: Date;
}

const fromStdin = 'read the password from standard input instead of inventing one';

/** `user create`, `invite`, `grant`, `revoke`, `password`, `reset-factor` and `list`. */
export function userCommands(noun: Command): void {
  const create = withRights(
    noun.command('create').description('Creates a user. Without --password-stdin a password is generated and printed once.'),
  )
    .option('--name <name>', 'what people read (default: the start of the address)')
    .option('--password-stdin', fromStdin);
  documented(create, {
    'user create --email ana@example.org --tenant demo': 'an administrator of demo; prints address and password',
    'user create --email ana@example.org --json': 'prints {"uuid", "email", "password"}; password is null when you gave it',
  }).action(createUser);

  inviteCommand(noun);

  const grant = noun.command('grant').description('Gives a user rights, and keeps the existing ones. A repeated call changes nothing.');
  withRights(grant)
    .option('--role <role>', `with --tenant: ${roleHelp}`)
    .option('--events <slugs>', 'with --role: only for these events, separated by commas')
    .option('--until <date>', 'with --role: until the end of this day')
    .option('--suspend', 'with --tenant: the right does not count until it is granted again');
  documented(grant, {
    'user grant --email ana@example.org --tenant demo': 'lets her direct demo: all of the panel',
    'user grant --email ana@example.org --tenant demo --role boxOffice --until 2027-12-31': 'lets her sell until the end of the year',
    'user grant --email ana@example.org --tenant demo --suspend': 'closes the panel to her, and keeps her role',
    'user grant --email ana@example.org --create-tenants': 'lets her create tenants through the API',
  }).action(grantRights);

  const revoke = noun
    .command('revoke')
    .description(
      'Takes rights from a user, ends the sessions and suspends the keys that need them; takes an open invitation back. ' +
        'A repeated call changes nothing.',
    );
  documented(withRights(revoke), {
    'user revoke --email ana@example.org --tenant demo': "ends her access to demo's panel at once",
    'user revoke --email ana@example.org --super-user': 'ends her access to Root and to every panel',
  }).action(revokeRights);

  const password = noun
    .command('password')
    .description('Sets a new password and ends all sessions of the user.')
    .requiredOption('--email <email>', 'who')
    .option('--password-stdin', fromStdin);
  documented(password, {
    'user password --email ana@example.org': 'prints the invented password alone',
    'user password --email ana@example.org --password-stdin < file': 'takes the password from a file and prints nothing',
  }).action(setPassword);

  const reset = noun
    .command('reset-factor')
    .description('Switches off the second factor of a user who lost it, ends all sessions and mails the user. The password stays.')
    .requiredOption('--email <email>', 'who');
  documented(reset, {
    'user reset-factor --email ana@example.org': 'lets her sign in with the password alone, to set the second factor up again',
  }).action(resetFactor);

  documented(noun.command('list').description('Lists the users with their rights.'), {
    'user list': 'prints a table of address, name, rights and last sign-in',
    'user list --json': 'prints an array of the same',
  }).action(listUsers);
}

function withRights(command: Command): Command {
  return command
    .requiredOption('--email <email>', 'who')
    .option('--tenant <slug>', 'the panel of this tenant')
    .option('--create-tenants', 'may create tenants')
    .option('--super-user', "may enter every panel, Root's included");
}

async function createUser(options: CreateOptions): Promise<void> {
  const given = options.passwordStdin ? await readPassword() : undefined;
  await withSession(async (session) => {
    const { email, name, tenant, superUser = false, createTenants = false } = options;
    // Checked before the user is created: with an unknown tenant nothing must be created.
    const tenantId = tenant === undefined ? undefined : (await session.tenant(tenant)).id;
    const users = session.service(UsersService);
    const user = await users.create({
      email,
      isSuperUser: superUser,
      mayCreateTenants: createTenants,
      ...(name === undefined ? {} : { name }),
      ...(given === undefined ? {} : { password: given }),
    });
    const password = given === undefined ? user.password : null;
    show(options, { uuid: user.id, email: user.email, password }, fields({ 'E-mail': user.email, Password: password }));
    if (password) say('The password is shown only now.');
    if (tenantId) await users.grant(user.id, { tenantId });
  });
}

function grantRights(options: RoleOptions): Promise<void> {
  const { role, events, until, suspend = false, tenant } = options;
  if (tenant === undefined && (role !== undefined || suspend)) throw new UsageError('Say where: --tenant <slug>.');
  if (role === undefined && (events !== undefined || until !== undefined)) throw new UsageError('Say which role: --role <role>.');
  if (role !== undefined && suspend) throw new UsageError('Use either --role or --suspend.');
  return changeRights(options, 'grant', async (users, userId, tenantId, session) => {
    const isLimited = role !== undefined || suspend;
    await users.grant(userId, {
      ...(tenantId && !isLimited ? { tenantId } : {}),
      ...(options.superUser ? { isSuperUser: true } : {}),
      ...(options.createTenants ? { mayCreateTenants: true } : {}),
    });
    if (isLimited) await grantRole(session, userId, options);
  });
}

/** Gives a right with limits, or suspends the present one. */
async function grantRole(session: Session, userId: string, options: RoleOptions): Promise<void> {
  const grants = session.service(GrantsService);
  const { email, tenant = '', role } = options;
  await session.inTenant(tenant, async (venue) => {
    if (role !== undefined) return grants.set(userId, await givenRight(session, venue, options));
    if (!(await grants.suspend(userId, true))) throw new Refusal(`${email} has no right at ${venue.slug}.`);
  });
}

function revokeRights(options: GrantOptions): Promise<void> {
  return changeRights(options, 'revoke', async (users, userId, tenantId) => {
    // First, because the last super-user keeps this right, and nothing must be done by half.
    await users.grant(userId, {
      ...(options.superUser ? { isSuperUser: false } : {}),
      ...(options.createTenants ? { mayCreateTenants: false } : {}),
    });
    if (tenantId) await users.revoke(userId, tenantId);
  });
}

/** Changes the rights that the options name, and shows those that the user has afterwards. */
async function changeRights(
  options: GrantOptions,
  verb: 'grant' | 'revoke',
  change: (users: UsersService, userId: string, tenantId: string | undefined, session: Session) => Promise<void>,
): Promise<void> {
  const { email, tenant, superUser, createTenants } = options;
  if (tenant === undefined && !superUser && !createTenants) {
    throw new UsageError(`Say what to ${verb}: --tenant <slug>, --create-tenants or --super-user.`);
  }
  await withSession(async (session) => {
    if (verb === 'revoke' && tenant !== undefined) {
      const wasInvited = await takeInvitationBack(session, tenant, email);
      if (wasInvited) say(`The invitation of ${email} to ${tenant} is taken back.`);
      // Who is only invited may have no account.
      if (!(await session.service(UsersService).findByEmail(email))) {
        if (!wasInvited) throw new Refusal(`There is no user ${email}, and no open invitation of that address to ${tenant}.`);
        return show(options, { email, tenant }, fields({ 'E-mail': email, Rights: '-' }));
      }
    }
    const user = await knownUser(session, email);
    const tenantId = tenant === undefined ? undefined : (await session.tenant(tenant)).id;
    await change(session.service(UsersService), user.id, tenantId, session);
    const row = (await findUsers(session.service(TenantDb))).find(({ uuid }) => uuid === user.id);
    show(options, row, fields({ 'E-mail': user.email, Rights: row && rightsOf(row) }));
  });
}

async function setPassword(options: PasswordOptions): Promise<void> {
  const given = options.passwordStdin ? await readPassword() : undefined;
  await withSession(async (session) => {
    const user = await knownUser(session, options.email);
    const password = await session.service(UsersService).setPassword(user.id, given);
    if (given === undefined || options.json) {
      show(options, { email: user.email, password: given === undefined ? password : null }, password);
    }
    say(`${user.email} has a new password, and all sessions are ended.`);
  });
}

async function resetFactor({ email }: { email: string }): Promise<void> {
  await withSession(async (session) => {
    const user = await knownUser(session, email);
    // The mail about it comes from Root.
    const wasOn = await session.inTenant('root', () => session.service(SecondFactorService).reset(user.id));
    if (!wasOn) throw new Refusal(`${user.email} has no second factor.`);
    say(`The second factor of ${user.email} is off, and all sessions are ended.`);
  });
}

async function listUsers(options: { json?: boolean }): Promise<void> {
  await withSession(async (session) => {
    const users = await findUsers(session.service(TenantDb));
    const rows = users.map((user) => [
      user.email,
      user.name,
      rightsOf(user),
      user.second_factor ? 'on' : 'off',
      clock(user.last_sign_in_at),
    ]);
    show(options, users, table(['E-MAIL', 'NAME', 'RIGHTS', 'SECOND FACTOR', 'LAST SIGN-IN'], rows, 'There is no user.'));
  });
}

function findUsers(db: TenantDb): Promise<UserRow[]> {
  return db.shared((tx) =>
    tx.query<UserRow[]>(
      `select u.id as uuid, u.email, u.name, u.is_super_user as super_user, u.may_create_tenants as create_tenants,
         ${hasFactorSql('u.id')} as second_factor,
         array(select t.slug from tenant_administrator a join tenant t on t.id = a.tenant_id
               where a.user_id = u.id order by t.slug) as tenants,
         coalesce((select json_agg(json_build_object('tenant', t.slug, 'role', coalesce(r.name, g.role), 'scope', g.scope,
             'ends_at', g.ends_at, 'has_ended', g.ends_at is not null and g.ends_at <= now(),
             'until', to_char((g.ends_at - interval '1 minute') at time zone t.time_zone, 'YYYY-MM-DD HH24:MI'),
             'suspended', g.suspended_at is not null) order by t.slug)
           from role_grant g join tenant t on t.id = g.tenant_id left join venue_role r on r.id = g.role_id
           where g.user_id = u.id), '[]'::json) as roles,
         u.last_sign_in_at, u.created_at
       from user_account u order by u.email`,
    ),
  );
}

function rightsOf(user: UserRow): string {
  const rights = [
    ...(user.super_user ? ['super-user'] : []),
    ...(user.create_tenants ? ['create tenants'] : []),
    ...user.tenants.map((slug) => `tenant ${slug}`),
    ...user.roles.map((row) => [`${row.role} at ${row.tenant}`, ...limitsOf(row)].join(' ')),
  ];
  return rights.join(', ') || '-';
}

/** What limits a right, in brackets. */
function limitsOf({ scope, until, has_ended: hasEnded, suspended }: RoleRow): string[] {
  const limits = [
    ...(scope === 'all' ? [] : [scope === 'events' ? 'chosen events' : 'kinds of events']),
    ...(until === null ? [] : [hasEnded ? 'ended' : `until ${until}`]),
    ...(suspended ? ['suspended'] : []),
  ];
  return limits.length === 0 ? [] : [`(${limits.join(', ')})`];
}
