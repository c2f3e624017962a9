import type { Command } from 'commander';
import { AuditService, LedgerAuditService, type Drift, type LedgerDrift } from '#tickets';
import { NetworkCardAuditService } from '#gift-cards';
import { FederationAuditService, type AgendaDrift } from '#places';
import { InsideAuditService, type InsideDrift } from '#scan';
import { ChangesService, runInTenant, TenantsService, type BrokenChange, type TenantIdentity, type VerifiedChanges } from '#tenancy';
import { answering } from '../terminal/answering.js';
import { guichet, documented, say, show, table } from '../terminal/output.js';
import { withSession, type Session } from '../terminal/session.js';

interface AuditOptions {
  readonly tenant?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
}

interface Audited {
  readonly tenant: TenantIdentity;
  readonly drifts: readonly Drift[];
  readonly money: readonly LedgerDrift[];
  readonly agenda: readonly AgendaDrift[];
  readonly inside: readonly InsideDrift[];
  readonly changes: VerifiedChanges;
}

/** `audit`: compares the counters of limited resources with the rows that they count, and payments with sales. */
export function auditCommand(noun: Command): void {
  noun
    .description(
      'Compares the counters of events, series and prices with the tickets and memberships, the payments and refunds with the ' +
        'amounts of reservations and memberships, what gift cards paid at other venues with what those have, the events on the ' +
        'agendas of networks with those of their members, and the people inside ' +
        'with the scan log, and verifies the chain of the record of changes, while the service runs. ' +
        'Exit code 0 when they agree or counters and agendas were repaired, 1 otherwise. Payments, people inside and the ' +
        'record of changes are never repaired.',
    )
    .option('--tenant <slug>', 'one tenant (default: all)')
    .option('--repair', 'correct the counters, and rewrite the rows of the agendas');
  documented(noun, {
    audit: 'prints a line for each counter and each sale that does not agree',
    'audit --tenant demo --repair': 'sets the counters of one tenant and prints those that it changed',
    'audit --json':
      'prints {"tenants", "repaired", "drift": [{"tenant", "kind", "uuid", "event", "name", "counted", "rows"}], ' +
      '"money": [{"tenant", "kind", "uuid", "name", "expected", "ledger"}], "agenda": [{"tenant", "kind", "uuid", "network", "name"}], ' +
      '"inside": [{"tenant", "uuid", "name", "counted", "log"}], ' +
      '"changes": [{"tenant", "rows", "head", "broken": [{"position", "fault"}]}]}',
  }).action(audit);
}

async function audit(options: AuditOptions): Promise<void> {
  await withSession(async (session) => {
    const audited: Audited[] = [];
    for (const tenant of await answering(session, await tenantsOf(session, options.tenant))) {
      if (tenant.schemaState !== 'current') {
        say(`${tenant.slug} is skipped: its tables do not match this program; see ${guichet} migrate status`);
        process.exitCode = 1;
        continue;
      }
      const service = session.service(AuditService);
      const drifts = await runInTenant(tenant, () => (options.repair ? service.repair() : service.drifts()));
      const ledger = await runInTenant(tenant, () => session.service(LedgerAuditService).drifts());
      const network = await runInTenant(tenant, () => session.service(NetworkCardAuditService).drifts());
      const federation = session.service(FederationAuditService);
      const agenda = await runInTenant(tenant, () => (options.repair ? federation.repair() : federation.drifts()));
      const inside = await runInTenant(tenant, () => session.service(InsideAuditService).drifts());
      const changes = await runInTenant(tenant, () => session.service(ChangesService).verify());
      audited.push({ tenant, drifts, money: [...ledger, ...network], agenda, inside, changes });
    }
    report(audited, options);
  });
}

function report(audited: readonly Audited[], options: AuditOptions): void {
  const found = audited.flatMap(({ tenant, drifts }) => drifts.map((drift) => ({ tenant: tenant.slug, ...drift })));
  const repaired = options.repair === true;
  const money = audited.flatMap(({ tenant, money: drifts }) => drifts.map((drift) => ({ tenant: tenant.slug, ...drift })));
  const agenda = audited.flatMap(({ tenant, agenda: drifts }) => drifts.map((drift) => ({ tenant: tenant.slug, ...drift })));
  const inside = audited.flatMap(({ tenant, inside: drifts }) => drifts.map((drift) => ({ tenant: tenant.slug, ...drift })));
  const changes = audited.map(({ tenant, changes: verified }) => ({ tenant: tenant.slug, ...verified }));
  const broken = changes.flatMap(({ tenant, broken: rows }) => rows.map((row) => ({ tenant, ...row })));
  const document = {
    tenants: audited.map(({ tenant }) => tenant.slug),
    repaired,
    drift: found.map(({ tenant, kind, id, eventId, name, counted, rows }) => {
      return { tenant, kind, uuid: id, event: eventId, name, counted, rows };
    }),
    money: money.map(({ tenant, kind, id, name, expected, ledger }) => ({ tenant, kind, uuid: id, name, expected, ledger })),
    agenda: agenda.map(({ tenant, kind, eventId, networkId, name }) => ({ tenant, kind, uuid: eventId, network: networkId, name })),
    inside: inside.map(({ tenant, eventId, name, counted, log }) => ({ tenant, uuid: eventId, name, counted, log })),
    changes,
  };
  const lines = found.map(({ tenant, kind, id, name, counted, rows }) => [tenant, kind, id, counted, rows, name]);
  const headings = ['TENANT', 'COUNTER', 'UUID', repaired ? 'COUNTED BEFORE' : 'COUNTED', 'ROWS', 'NAME'];
  const sums = money.map(({ tenant, kind, id, expected, ledger, name }) => [tenant, kind, id, expected, ledger, name]);
  show(options, document, [
    ...table(headings, lines, `Every counter of ${countOf(audited.length, 'tenant')} agrees.`),
    ...table(['TENANT', 'MONEY OF', 'UUID', 'EXPECTED', 'LEDGER', 'NAME'], sums, 'Payments agree with what was sold.'),
    ...table(
      ['TENANT', repaired ? 'WAS' : 'AGENDA', 'EVENT', 'NETWORK', 'NAME'],
      agenda.map(({ tenant, kind, eventId, networkId, name }) => [tenant, kind, eventId, networkId, name]),
      'The agendas of networks agree with the events.',
    ),
    ...table(
      ['TENANT', 'INSIDE', 'LOG', 'EVENT', 'NAME'],
      inside.map(({ tenant, counted, log, eventId, name }) => [tenant, counted, log, eventId, name]),
      'The people inside agree with the scan log.',
    ),
    ...table(
      ['TENANT', 'CHANGE', 'FAULT'],
      broken.map(({ tenant, position, fault }) => [tenant, position, faults[fault]]),
      'The record of changes is whole. Kept elsewhere, these lines show later whether its newest rows were removed:',
    ),
    ...table(
      ['TENANT', 'CHANGES', 'NEWEST HASH'],
      changes.map(({ tenant, rows, head }) => [tenant, rows, head?.slice(0, 16)]),
      'No tenant was looked at.',
    ),
  ]);
  if (money.length + inside.length + broken.length > 0) process.exitCode = 1;
  if (found.length + agenda.length === 0) return;
  if (repaired) {
    if (found.length > 0) say(`${countOf(found.length, 'counter')} set to what the rows say.`);
    if (agenda.length > 0) say(`${countOf(agenda.length, 'row')} of agendas corrected.`);
  } else {
    say(`Set them to what the rows say: ${guichet} audit --repair`);
    process.exitCode = 1;
  }
}

const faults: Readonly<Record<BrokenChange['fault'], string>> = {
  missing: 'the row before it is missing',
  altered: 'the row was altered',
  values: 'its values were altered',
};

/** The named tenant, or all of any category: every tenant has the tables, and its category may have changed. */
async function tenantsOf(session: Session, slug: string | undefined): Promise<readonly TenantIdentity[]> {
  return slug === undefined ? session.service(TenantsService).list() : [await session.tenant(slug)];
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
