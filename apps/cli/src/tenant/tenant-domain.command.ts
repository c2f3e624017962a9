import type { Command } from 'commander';
import { DomainsService, unicodeHost, type Domain } from '#tenancy';
import { Refusal } from '../terminal/failure.js';
import { documented, guichet, show, table } from '../terminal/output.js';
import { withSession, type Session } from '../terminal/session.js';

interface TenantOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface HostOptions {
  readonly json?: boolean;
}

interface MoveOptions extends HostOptions {
  readonly to: string;
  readonly from?: string;
  readonly primary?: string;
}

/** `tenant domain list`, `add`, `remove`, `primary` and `move`. */
export function tenantDomainCommands(tenant: Command): void {
  const domain = tenant.command('domain').description('The host names that answer for a tenant.');

  documented(
    domain
      .command('list')
      .description('Lists the domains of a tenant, the primary one first.')
      .requiredOption('--tenant <slug>', 'the tenant'),
    {
      'tenant domain list --tenant lune': 'prints a table of host and kind',
      'tenant domain list --tenant lune --json': 'prints an array of {"host", "unicode", "primary"}',
    },
  ).action(list);

  documented(
    domain
      .command('add')
      .description('Adds a host name to a tenant. Its DNS must point to this server; its pages redirect to the primary domain.')
      .argument('<host>', 'such as tickets.example.org; also in Unicode')
      .requiredOption('--tenant <slug>', 'the tenant'),
    { 'tenant domain add billets.example.org --tenant lune': 'prints the host in its ASCII form' },
  ).action(add);

  documented(
    domain
      .command('remove')
      .description('Removes a host name from its tenant, unless it is the primary one.')
      .argument('<host>', 'the host'),
    { 'tenant domain remove billets.example.org': 'prints the host' },
  ).action(remove);

  documented(
    domain
      .command('primary')
      .description('Makes a domain the primary one of its tenant: pages of the others redirect to it.')
      .argument('<host>', 'the host'),
    { 'tenant domain primary billets.example.org': 'prints the host' },
  ).action(primary);

  documented(
    domain
      .command('move')
      .description('Moves a domain to another tenant, in one transaction. Sessions, keys and devices stay with their tenants.')
      .argument('<host>', 'the host')
      .requiredOption('--to <slug>', 'the tenant that gets it')
      .option('--from <slug>', 'the tenant that has it now; if it does not any more, nothing is done')
      .option('--primary <host>', 'the domain that becomes primary where this one was'),
    {
      'tenant domain move billets.example.org --to soleil': 'prints the host',
      'tenant domain move lune.example.org --to soleil --primary billets.example.org': 'the same for a primary domain',
    },
  ).action(move);
}

async function list(options: TenantOptions): Promise<void> {
  await withSession(async (session) => {
    const { id } = await session.knownTenant(options.tenant);
    const domains = await session.service(DomainsService).list(id);
    show(
      options,
      domains.map(describe),
      table(
        ['HOST', 'PRIMARY', 'UNICODE'],
        domains.map(({ host, isPrimary }) => [host, isPrimary ? 'yes' : '-', unicodeHost(host)]),
        'It has no domain.',
      ),
    );
  });
}

async function add(host: string, options: TenantOptions): Promise<void> {
  await withSession(async (session) => {
    const { id } = await session.knownTenant(options.tenant);
    const domain = await session.service(DomainsService).add(id, host);
    show(options, describe(domain), domain.host);
  });
}

async function remove(host: string, options: HostOptions): Promise<void> {
  await change(host, options, (session) => session.service(DomainsService).remove(host));
}

async function primary(host: string, options: HostOptions): Promise<void> {
  await change(host, options, (session) => session.service(DomainsService).makePrimary(host));
}

async function move(host: string, options: MoveOptions): Promise<void> {
  await change(host, options, async (session) => {
    const { to, from, primary: newPrimary } = options;
    const { id } = await session.knownTenant(to);
    return session.service(DomainsService).move(host, id, {
      ...(from === undefined ? {} : { from: (await session.knownTenant(from)).id }),
      ...(newPrimary === undefined ? {} : { newPrimary }),
    });
  });
}

async function change(host: string, options: HostOptions, work: (session: Session) => Promise<boolean>): Promise<void> {
  await withSession(async (session) => {
    if (!(await work(session)))
      throw new Refusal(`No tenant has the domain "${host}". Those of one: ${guichet} tenant domain list --tenant <slug>`);
    show(options, { host }, host);
  });
}

function describe({ host, isPrimary }: Domain): object {
  return { host, unicode: unicodeHost(host) ?? null, primary: isPrimary };
}
