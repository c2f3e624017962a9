import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FactorRulesService, GrantsService, InvitationsService, referenceTables, UsersService, VenueRolesService } from '#tenancy';
import { InvitedStaff } from '../support/invited-staff.js';
import type { TestDatabase } from '../support/test-database.js';

let staff: InvitedStaff;
beforeAll(async () => {
  staff = await InvitedStaff.open();
  await staff.begin();
  await staff.test.database.query(
    `create sequence ended_once;
     create function end_once() returns trigger language plpgsql as $$
     begin
       -- A sequence does not roll back: the second transaction passes.
       if nextval('public.ended_once') = 1 then raise exception 'ended to break a deadlock' using errcode = 'deadlock_detected'; end if;
       return null;
     end $$;
     grant usage on sequence ended_once to public`,
  );
});
afterAll(() => staff.close());

/** What a write of a table changes, and on which server: with several, Citus writes the copies of a reference table by their own names. */
async function writtenTable(table: string): Promise<{ readonly name: string; readonly query: TestDatabase['query'] }> {
  const servers = await staff.test.database.onServers((query) => Promise.resolve(query));
  const home = servers[0]!;
  if (servers.length === 1) return { name: `shared.${table}`, query: home };
  if (table in referenceTables) {
    const [shard] = await home<{ id: string }>(`select shardid as id from pg_dist_shard where logicalrelid = $1::regclass`, [
      `shared.${table}`,
    ]);
    return { name: `shared.${table}_${shard!.id}`, query: home };
  }
  const [venue] = await home<{ node: number }>('select node from shared.tenant where id = $1', [staff.venue.id]);
  return { name: `shared.${table}`, query: servers[venue!.node]! };
}

/** Ends the first transaction that writes a table as the database ends one of two that wait for each other. */
async function endedOnce(table: string, work: () => Promise<unknown>): Promise<void> {
  const { name, query } = await writtenTable(table);
  await query(
    `alter sequence ended_once restart;
     create trigger end_once after insert or update or delete on ${name} for each statement execute function public.end_once()`,
  );
  try {
    await work();
    const [ended] = await query<{ writes: string; called: boolean }>(
      'select last_value::text as writes, is_called as called from ended_once',
    );
    expect([Number(ended!.writes) > 1, ended!.called]).toEqual([true, true]);
  } finally {
    await query(`drop trigger end_once on ${name}`);
  }
}

const get = <Service>(service: new (...parts: never[]) => Service): Service => staff.test.app.get(service);
const clerk = async (): Promise<string> => {
  const { id } = await staff.account();
  await staff.here(() => get(GrantsService).set(id, { role: 'boxOffice' }));
  return id;
};
const role = () => staff.here(() => get(VenueRolesService).create(randomUUID(), { event: 'see' }));
const open = async (): Promise<string> => {
  const email = staff.newAddress();
  await staff.invited(email);
  return (await staff.here(() => get(InvitationsService).idOf(email)))!;
};

const accept = async (path: string): Promise<void> => {
  expect((await staff.browser().form(path, { name: 'Noa', password: 'plum lantern orchard' })).status).toBe(303);
};

interface Change {
  readonly what: string;
  /** The first write of this table is ended. */
  readonly table: string;
  /** Done before. */
  readonly ready?: () => Promise<string>;
  readonly work: (made: string) => Promise<unknown>;
}

const changes: readonly Change[] = [
  { what: 'a right is given', table: 'role_grant', ready: clerk, work: (id) => get(GrantsService).set(id, { role: 'readOnly' }) },
  {
    what: 'a right is changed',
    table: 'role_grant',
    ready: clerk,
    work: (id) => get(GrantsService).change(id, { role: 'readOnly' }, staff.director.id),
  },
  { what: 'a right is suspended', table: 'role_grant', ready: clerk, work: (id) => get(GrantsService).suspend(id, true) },
  { what: 'a right is taken away', table: 'role_grant', ready: clerk, work: (id) => get(GrantsService).remove(id) },
  { what: 'the operator takes it away', table: 'role_grant', ready: clerk, work: (id) => get(UsersService).revoke(id, staff.venue.id) },
  {
    what: 'the operator gives one',
    table: 'role_grant',
    ready: clerk,
    work: (id) => get(UsersService).grant(id, { tenantId: staff.venue.id }),
  },
  { what: 'a role is made', table: 'venue_role', work: role },
  {
    what: 'a role is changed',
    table: 'venue_role',
    ready: role,
    work: (id) => get(VenueRolesService).change(id, 'Other', { event: 'change' }),
  },
  { what: 'a role is removed', table: 'venue_role', ready: role, work: (id) => get(VenueRolesService).remove(id) },
  { what: 'roles need a factor', table: 'factor_rule', work: () => get(FactorRulesService).setRoles(['boxOffice'], staff.director.id) },
  { what: 'somebody is invited', table: 'invitation', work: open },
  {
    what: 'an invitation is taken back',
    table: 'invitation',
    ready: open,
    work: (id) => get(InvitationsService).withdraw(id, staff.director.id),
  },
  { what: 'an invitation is accepted', table: 'role_grant', ready: () => staff.invited(staff.newAddress()), work: accept },
];

it.each(changes)('$what: a transaction that the database ends is repeated', async ({ table, ready, work }) => {
  const made = ready ? await ready() : '';
  await endedOnce(table, () => staff.here(() => work(made)));
});
