import { loadModule, parseSync } from 'libpg-query';
import { sharedMigrations, tenantMigrations } from '#tenancy';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statementsOf } from '../../libs/tenancy/src/migrations/index.js';
import { sourcesBelow } from '../support/sources.js';
import { exceptionOf } from '../statements/exceptions.js';
import { withoutSchemas } from '../statements/recorder.js';
import { violationsOf } from '../statements/rules.js';
import { tablesOf, type Tables } from '../statements/tables.js';

let tables: Tables;

beforeAll(async () => {
  await loadModule();
  tables = tablesOf();
});

const rulesBrokenBy = (text: string): string[] => violationsOf(text, tables).map(({ rule }) => rule);

describe('the rules for SQL that also runs on distributed PostgreSQL', () => {
  it('know the tables of the migrations and their identity columns', () => {
    expect(tables.tenant).toContain('ticket');
    expect(tables.shared).toContain('api_key');
    expect([...tables.tenant].filter((name) => tables.shared.has(name))).toEqual([]);
    expect(tables.identity.get('scan_log')).toBe('id');
    expect(tables.identity.get('outbox')).toBe('ordinal');
  });

  it.each([
    ['tenant-and-shared', 'select 1 from scan_log l left join shared.user_account u on u.id = l.user_id'],
    ['tenant-and-shared', 'update shared.webhook_queue set due_at = (select min(created_at) from webhook_delivery)'],
    ['tenant-and-shared', 'alter table ticket add foreign key (event_id) references shared.tenant (id)'],
    ['two-tenants', 'select 1 from tenant.ticket join tenant2.ticket using (id)'],
    ['changing-value', `update reservation set cancelled_at = case when $2 = 'C' then now() end`],
    ['changing-value', 'update reservation set confirmed_at = coalesce(confirmed_at, now())'],
    ['changing-value', 'update shared.job set due_at = least(due_at, now())'],
    ['changing-value', 'update shared.webhook_queue set served_at = clock_timestamp()'],
    ['changing-value', 'delete from membership where expires_at <= current_timestamp'],
    ['changing-value', 'update ticket set position = 1 where random() < 0.5'],
    ['changing-value', 'insert into tag (name) values ($1) on conflict (key) do update set created_at = now()'],
    ['changing-value', 'insert into tag (name) values ($1) returning created_at <= now()'],
    ['changing-value', 'insert into reservation (expires_at) values (case when $1 then now() end)'],
    ['changing-value', 'with one as (update ticket t set created_at = greatest(t.created_at, now()) returning id) select * from one'],
    ['interval-arithmetic', `update reservation set expires_at = created_at + interval '15 minutes'`],
    ['interval-arithmetic', 'update reservation set released_at = $1 where expires_at - make_interval(mins => $2) < $3'],
    ['order-by-identity', 'select * from scan_log order by id desc limit 1'],
    ['order-by-identity', 'select l.id from tenant.scan_log l join event e on e.id = l.event_id order by l.id'],
    ['several-statements', 'create table one (id uuid); create table two (id uuid)'],
    ['trigger', 'create trigger kept before update on ticket for each row execute function shared.refuse_change()'],
    ['unattributed-change', 'with one as (update tenant.price set amount = 1 returning id) select * from one'],
    ['unreadable', 'selec 1'],
  ])('find %s in: %s', (rule, text) => {
    expect(rulesBrokenBy(text)).toContain(rule);
  });

  it.each([
    'select t.id from ticket t join event e on e.id = t.event_id where e.starts_at < now() order by t.id',
    'update ticket set scanned_at = now() where id = $1',
    `update reservation set cancelled_at = case when $2 = 'C' then (select now()) end where expires_at > (select now())`,
    'insert into tag (name, created_at) values ($1, now()) on conflict (key) do update set created_at = excluded.created_at',
    'select * from scan_log order by recorded_at desc, id desc limit 10',
    'select * from postal_address order by name, id',
    'with ticket as (select 1 as id) select * from ticket, shared.tenant',
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

  it('follow the rules, except for the listed exceptions', () => {
    const broken = statementsOf(steps).flatMap((text) =>
      violationsOf(text, tables)
        .filter((violation) => !exceptionOf(violation, text))
        .map(({ rule, detail }) => `${rule}: ${detail}`),
    );
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
