import { Option, type Command } from 'commander';
import { languages, type Language } from '#kernel';
import { OpenedTenantsService, SignupInvitationsService } from '#places';
import { TenantsService, UsersService, type CategoryCode, type NewTenant } from '#tenancy';
import { clock, documented, fields, say, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';
import { describeTenant } from './tenant-description.js';
import { tenantDomainCommands } from './tenant-domain.command.js';
import { tenantLifeCommands } from './tenant-life.command.js';
import { nodeNumber, tenantMoveCommand } from './tenant-move.command.js';
import { tenantQuotaCommand } from './tenant-quota.command.js';
import { tenantRequestCommands } from './tenant-requests.command.js';
import { tenantTransferCommands } from './tenant-transfer.command.js';

interface CreateOptions {
  readonly slug: string;
  readonly name?: string;
  readonly category: CategoryCode;
  readonly host?: string;
  readonly language?: Language;
  readonly timeZone?: string;
  readonly owner?: string;
  readonly node?: string;
  readonly json?: boolean;
}

interface ListOptions {
  readonly json?: boolean;
}

/** `tenant create`, `tenant list` and `tenant invite`. */
export function tenantCommands(noun: Command): void {
  documented(
    noun
      .command('create')
      .description('Creates a tenant with its own tables, domain and signing key, in one transaction.')
      .requiredOption('--slug <slug>', 'short name and sub-domain: a-z, 0-9 and hyphens')
      .option('--name <name>', 'what people read (default: the slug)')
      .option('--category <letter>', 'S venue, F festival, A project, P producer, M agenda', 'S')
      .option('--host <host>', 'primary domain (default: <slug>.BASE_DOMAIN)')
      .option('--language <language>', 'en, fr, de or es (default: en)')
      .option('--time-zone <zone>', 'such as America/Montreal (default: Europe/Paris)')
      .option('--owner <email>', 'its first administrator: a user, or somebody who is invited by mail')
      .option('--node <number>', 'the database server (default: the one with the fewest tenants)'),
    {
      'tenant create --slug lune --name "La Lune" --owner ana@example.org': 'prints its host, slug and panel address',
      'tenant create --slug lune --json': 'prints {"uuid", "slug", "name", "category", "host", "panel_url", …}',
    },
  ).action(create);

  documented(noun.command('list').description('Lists all tenants by slug, including Root and the agenda.'), {
    'tenant list': 'prints a table of slug, category, host and name',
    'tenant list --json': 'prints an array of the same',
  }).action(list);

  documented(
    noun
      .command('invite')
      .description('Invites somebody by mail to create a place with the form of the agenda. The link works once, for two weeks.')
      .argument('<email>', 'whom; the first administrator of the place')
      .addOption(new Option('--language <language>', "of the mail (default: the agenda's)").choices(languages)),
    { 'tenant invite ana@example.org --language fr': 'sends the mail and prints the link' },
  ).action(invite);

  tenantLifeCommands(noun);
  tenantQuotaCommand(noun);
  tenantRequestCommands(noun);
  tenantDomainCommands(noun);
  tenantTransferCommands(noun);
  tenantMoveCommand(noun);
}

async function create(options: CreateOptions): Promise<void> {
  await withSession(async (session) => {
    const { slug, name = slug, category, host, language, timeZone, owner, node } = options;
    const known = owner === undefined ? null : await session.service(UsersService).findByEmail(owner);
    const wanted: NewTenant = {
      slug,
      name,
      category,
      ...(host === undefined ? {} : { host }),
      ...(language === undefined ? {} : { language }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(known && { ownerId: known.id }),
      ...(node === undefined ? {} : { node: nodeNumber(node) }),
    };
    const invited = known ? undefined : owner;
    const tenant = await session.service(OpenedTenantsService).open(wanted, invited);
    const document = describeTenant(session, tenant);
    show(options, document, fields({ Host: tenant.host, Slug: tenant.slug, Panel: document.panel_url }));
    if (invited !== undefined) say(`${invited} gets an invitation by mail as soon as a server or worker runs.`);
  });
}

async function invite(email: string, options: { readonly language?: Language; readonly json?: boolean }): Promise<void> {
  await withSession(async (session) => {
    const invitation = await session.service(SignupInvitationsService).invite(email, options.language);
    const { email: address, url, days } = invitation;
    show(options, invitation, fields({ 'E-mail': address, Link: url }));
    say(`The link works once, for ${days} days. A mail with it is on its way as soon as a server or worker runs.`);
  });
}

async function list(options: ListOptions): Promise<void> {
  await withSession(async (session) => {
    const tenants = await session.service(TenantsService).list();
    show(
      options,
      tenants.map((tenant) => ({
        ...describeTenant(session, tenant),
        created_at: tenant.createdAt,
        schema_version: tenant.schemaVersion,
      })),
      table(
        ['SLUG', 'CATEGORY', 'STATE', 'HOST', 'CREATED', 'NAME'],
        tenants.map(({ slug, category, state, host, createdAt, name }) => [slug, category, state, host || '-', clock(createdAt), name]),
        'There is no tenant.',
      ),
    );
  });
}
