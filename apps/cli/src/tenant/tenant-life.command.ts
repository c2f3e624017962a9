import type { Command } from 'commander';
import type { Language } from '#kernel';
import { DomainsService, TenantHistoryService, TenantLifeService, type TenantIdentity } from '#tenancy';
import { UsageError } from '../terminal/failure.js';
import { clock, documented, fields, show, table } from '../terminal/output.js';
import { iso, withSession, type Session } from '../terminal/session.js';
import { describeTenant } from './tenant-description.js';

interface Options {
  readonly json?: boolean;
  readonly reason?: string;
  readonly confirm?: string;
}

interface EditOptions extends Options {
  readonly name?: string;
  readonly language?: Language;
  readonly timeZone?: string;
  readonly category?: string;
}

interface Act {
  readonly description: string;
  readonly example: string;
  readonly work: (life: TenantLifeService, id: string, options: Options) => Promise<void>;
  readonly needs?: 'reason' | 'confirmation';
}

const acts: Readonly<Record<string, Act>> = {
  suspend: {
    description: 'Suspends a tenant: its pages, API and scanning answer 503 with the reason, and background jobs wait.',
    example: 'tenant suspend lune --reason "Unpaid invoice of May"',
    work: (life, id, { reason = '' }) => life.suspend(id, reason),
    needs: 'reason',
  },
  resume: {
    description: 'Ends the suspension of a tenant.',
    example: 'tenant resume lune',
    work: (life, id, { reason }) => life.resume(id, reason),
  },
  archive: {
    description: 'Archives a tenant: it no longer sells, and its API and panel are read-only.',
    example: 'tenant archive lune --reason "Closed for good"',
    work: (life, id, { reason }) => life.archive(id, reason),
  },
  restore: {
    description: 'Restores an archived tenant, or one that is being deleted, with all its data.',
    example: 'tenant restore lune',
    work: (life, id, { reason }) => life.restore(id, reason),
  },
  delete: {
    description: 'Closes a tenant at once, and deletes all its data after TENANT_DELETE_DAYS days.',
    example: 'tenant delete lune --confirm lune',
    work: (life, id, { reason, confirm = '' }) => life.delete(id, confirm, reason),
    needs: 'confirmation',
  },
};

/** `tenant show`, `edit`, `suspend`, `resume`, `archive`, `restore` and `delete`. */
export function tenantLifeCommands(noun: Command): void {
  documented(noun.command('show').description('Shows a tenant: state, domains and record of changes.').argument('<slug>', 'the tenant'), {
    'tenant show lune': 'prints its facts and a table of changes',
  }).action(showTenant);

  documented(
    noun
      .command('edit')
      .description('Changes name, language, time zone or category. The tenant’s data may prevent a change of the category.')
      .argument('<slug>', 'the tenant')
      .option('--name <name>', 'what people read')
      .option('--language <language>', 'en or fr')
      .option('--time-zone <zone>', 'such as America/Montreal')
      .option('--category <letter>', 'S venue, F festival, A project, P producer, M agenda'),
    { 'tenant edit lune --category F': 'prints the slug, or what stands in the way' },
  ).action(edit);

  for (const [verb, act] of Object.entries(acts)) addAct(noun, verb, act);
}

function addAct(noun: Command, verb: string, { description, example, work, needs }: Act): void {
  const command = noun.command(verb).description(description).argument('<slug>', 'the tenant');
  if (needs === 'reason') command.requiredOption('--reason <text>', 'why; shown publicly');
  else command.option('--reason <text>', 'why; kept in the record of changes');
  if (needs === 'confirmation') command.requiredOption('--confirm <slug>', 'the slug once more');
  documented(command, { [example]: 'prints the slug' }).action(async (slug: string, options: Options) => {
    await withSession(async (session) => {
      const { id } = await session.knownTenant(slug);
      await work(session.service(TenantLifeService), id, options);
      await showSlug(session, slug, options);
    });
  });
}

async function edit(slug: string, options: EditOptions): Promise<void> {
  const { name, language, timeZone, category } = options;
  if ([name, language, timeZone, category].every((value) => value === undefined))
    throw new UsageError('Nothing to change: give --name, --language, --time-zone or --category.');
  await withSession(async (session) => {
    const { id } = await session.knownTenant(slug);
    await session.service(TenantLifeService).edit(id, { name, language, timeZone, category });
    await showSlug(session, slug, options);
  });
}

async function showSlug(session: Session, slug: string, options: Options): Promise<void> {
  const tenant = await session.knownTenant(slug);
  show(options, describeTenant(session, tenant), tenant.slug);
}

async function showTenant(slug: string, options: Options): Promise<void> {
  await withSession(async (session) => {
    const [document, lines] = await factsOf(session, await session.knownTenant(slug));
    show(options, document, lines);
  });
}

async function factsOf(session: Session, tenant: TenantIdentity): Promise<[object, string[]]> {
  const domains = (await session.service(DomainsService).list(tenant.id)).map(({ host }) => host);
  const changes = await session.service(TenantHistoryService).list(tenant.id);
  const { stateSince, deleteAfter } = await session.service(TenantLifeService).facts(tenant.id);
  const document = {
    ...describeTenant(session, tenant),
    state_reason: tenant.stateReason,
    state_since: iso(stateSince, tenant),
    delete_after: iso(deleteAfter, tenant),
    domains,
    changes: changes.map(({ at, ...change }) => ({
      at: iso(at, tenant),
      actor: change.actor,
      action: change.action,
      reason: change.reason,
      details: change.details,
    })),
  };
  const facts = fields({
    Name: tenant.name,
    Slug: tenant.slug,
    Category: tenant.category,
    State: tenant.state,
    Reason: tenant.stateReason,
    Since: clock(stateSince, tenant.timeZone),
    'Dropped after': deleteAfter && clock(deleteAfter, tenant.timeZone),
    Domains: domains.join(' '),
    Language: tenant.language,
    'Time zone': tenant.timeZone,
  });
  const rows = changes.map(({ at, action, actor, reason }) => [clock(at, tenant.timeZone), action, actor, reason]);
  return [document, [...facts, '', ...table(['AT', 'CHANGE', 'BY', 'REASON'], rows, 'Nobody changed it.')]];
}
