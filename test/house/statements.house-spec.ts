import { loadModule, parseSync } from 'libpg-query';
import { sharedMigrations, tenantMigrations } from '#tenancy';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statementsOf } from '../../libs/tenancy/src/migrations/index.js';
import { sourcesBelow } from '../support/sources.js';
import { withoutSchemas } from '../statements/recorder.js';
import { violationsOf } from '../statements/rules.js';
import { tablesOf, type Tables } from '../statements/tables.js';

let tables: Tables;

beforeAll(async () => {
  await loadModule();
  tables = tablesOf();
});

const rulesBrokenBy = (text: string): string[] => violationsOf(text, tables).map(({ rule }) => rule);

const noon = '(select now())';

describe('the rules for SQL that names a reference table', () => {
  it('know the tables', () => {
    expect(tables.tenant).toContain('ticket');
    expect(tables.reference).toContain('tenant');
    expect(tables.reference).not.toContain('api_key');
  });

  it.each([
    // Each of them was refused by Citus 14, or changed rows of another database server (those marked with →).
    ['insert-subquery', 'insert into shared.user_change (user_id) values ((select id from shared.user_account))'],
    ['insert-subquery', `insert into shared.tenant_administrator (granted_at) values (${noon})`],
    ['insert-subquery', 'insert into tag (name) values ($1) on conflict (key) do update set name = (select name from shared.tenant)'],
    ['insert-subquery', `insert into shared.card (tag) values ($1) on conflict (tag) do update set state = (select 'A')`],
    [
      'change-beside-reference',
      'update shared.job j set attempts = 1 where exists (select 1 from shared.tenant t where t.id = j.tenant_id)',
    ],
    ['change-beside-reference', 'update shared.job set attempts = 1 where tenant_id = any(array(select id from shared.tenant))'], // →
    ['change-beside-reference', 'update shared.job set attempts = 1 where tenant_id = (select id from shared.tenant limit 1)'], // →
    ['change-beside-reference', 'update shared.job set attempts = (select count(*) from shared.tenant)'], // →
    ['change-beside-reference', 'delete from shared.job where tenant_id not in (select id from shared.tenant)'], // →
    ['change-beside-reference', 'update shared.place p set name = $1 where exists (select 1 from profile)'],
    ['change-beside-reference', 'update shared.place p set name = r.name from profile r'],
    ['change-in-query', 'with q as (update ticket set status = $1 returning id) select q.id from q join shared.card c on c.id = q.id'],
    ['change-in-query', 'with q as (delete from shared.job returning tenant_id) update shared.tenant set name = $1 from q'],
    ['changing-value', 'update shared.card set owner_since = coalesce(owner_since, now())'],
    ['changing-value', `update shared.domain set created_at = created_at + interval '1 day'`],
    ['changing-value', 'delete from shared.card where created_at - make_interval(days => $1) < $2'],
    ['changing-value', 'update shared.card set number = random()'],
    ['changing-value', 'insert into shared.card (tag) values ($1) on conflict (tag) do update set created_at = now()'],
    ['changing-value', 'update shared.card set state = $1 returning now()'],
    ['several-statements', 'create index on shared.tenant (name); create index on shared.place (name)'],
    ['trigger', 'create trigger kept before update on shared.tenant for each row execute function shared.refuse_change()'],
    ['unattributed-change', 'with one as (update tenant.price set amount = 1 returning id) select * from one'],
    ['unreadable', 'selec 1'],
  ])('find %s in: %s', (rule, text) => {
    expect(rulesBrokenBy(text)).toContain(rule);
  });

  it.each([
    'select 1 from shared.outbox o where not exists (select 1 from shared.tenant t where t.id = o.tenant_id)',
    'update shared.job set attempts = 1 where tenant_id in (select id from shared.tenant)',
    'update shared.job j set attempts = 1 from shared.tenant t where t.id = j.tenant_id',
    'delete from shared.job using shared.tenant t where t.id = job.tenant_id',
    'update shared.job set attempts = 1 from (select id from shared.tenant t where not exists (select 1 from shared.place)) q',
    'with q as (select id from shared.tenant) update shared.job set attempts = 1 where exists (select 1 from q)',
    'insert into shared.job (tenant_id) select id from shared.tenant on conflict (id) do nothing',
    'insert into shared.user_account (email, created_at) values ($1, now())',
    'delete from shared.recovery_code where exists (select 1 from shared.second_factor)',
    `update shared.tenant set state_since = ${noon} where state_since < now() - interval '1 day'`,
    'update shared.tenant set name = $1 where id in (select tenant_id from shared.job)',
    `update reservation set cancelled_at = case when $2 = 'C' then now() end, expires_at = expires_at + interval '1 day'`,
    'insert into tag (name) values ((select name from event)) on conflict (key) do update set created_at = now()',
    'with q as (update ticket set status = $1 returning id) insert into scan_log (ticket_id) select id from q',
    'with tenant as (select 1 as id) update ticket set status = $1 where exists (select 1 from tenant)',
    `begin; set local search_path to tenant; set local lock_timeout to 5`,
  ])('find nothing in: %s', (text) => {
    expect(rulesBrokenBy(text)).toEqual([]);
  });
});

describe('the recorder of statements', () => {
  it('replaces the schemas of tenants by their place in the statement', () => {
    const [one, other] = ['t_00000000000000000000000000000001', 't_00000000000000000000000000000002'];
    expect(withoutSchemas(`select from "${one}".ticket, "${one}".event`)).toBe('select from tenant.ticket, tenant.event');
    expect(withoutSchemas(`select from ${one}.ticket, "${other}".ticket`)).toBe('select from tenant.ticket, tenant2.ticket');
  });
});

describe('migration steps', () => {
  const steps = [...sharedMigrations, ...tenantMigrations];

  it('are sent one statement at a time', () => {
    for (const step of steps) {
      const statements = statementsOf([step]);
      const whole = parseSync(step.sql) as { stmts: unknown[] };
      expect([step.name, statements.length]).toEqual([step.name, whole.stmts.length]);
      expect(statements.filter((text) => (parseSync(text) as { stmts: unknown[] }).stmts.length !== 1)).toEqual([]);
    }
  });

  it('follow the rules', () => {
    const broken = statementsOf(steps).flatMap((text) => violationsOf(text, tables).map(({ rule, detail }) => `${rule}: ${detail}`));
    expect(broken).toEqual([]);
  });
});

describe('the statements of the sources', () => {
  const sources = sourcesBelow(['libs', 'apps'], /(?<!\.spec)\.ts$/);

  it('have a name of their own when they are prepared, because a connection knows one text for each name', () => {
    const names = sources.flatMap(({ code }) => [...code.matchAll(/\bname: '([\w-]+)',\s+text:/g)].map(([, name]) => name as string));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('do not fail by a division on purpose: they return why they write nothing', () => {
    expect(sources.filter(({ code }) => /\b1 \/ \(/.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
