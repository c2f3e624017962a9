import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FactorRulesService, GrantsService, InvitationsService, UsersService, VenueRolesService } from '#tenancy';
import { InvitedStaff } from '../support/invited-staff.js';

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

/** Ends the first transaction that writes a table as the database ends one of two that wait for each other. */
async function endedOnce(table: string, work: () => Promise<unknown>): Promise<void> {
  const { database } = staff.test;
  await database.query(
    `alter sequence ended_once restart;
     create trigger end_once after insert or update or delete on shared.${table} for each statement execute function public.end_once()`,
  );
  try {
    await work();
    const [ended] = await database.query<{ writes: string; called: boolean }>(
      'select last_value::text as writes, is_called as called from ended_once',
    );
    expect([Number(ended!.writes) > 1, ended!.called]).toEqual([true, true]);
  } finally {
    await database.query(`drop trigger end_once on shared.${table}`);
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

const accept = async (path = ''): Promise<void> => {
  expect((await staff.browser().form(path, { name: 'Noa', password: 'plum lantern orchard' })).status).toBe(303);
};

/** Each with the table whose first write is ended; `ready` is done before. */
const changes: readonly [string, string, (...made: string[]) => Promise<unknown>, (() => Promise<string>)?][] = [
  ['a right is given', 'role_grant', (id) => get(GrantsService).set(id!, { role: 'readOnly' }), clerk],
  ['a right is changed', 'role_grant', (id) => get(GrantsService).change(id!, { role: 'readOnly' }, staff.director.id), clerk],
  ['a right is suspended', 'role_grant', (id) => get(GrantsService).suspend(id!, true), clerk],
  ['a right is taken away', 'role_grant', (id) => get(GrantsService).remove(id!), clerk],
  ['the operator takes it away', 'role_grant', (id) => get(UsersService).revoke(id!, staff.venue.id), clerk],
  ['the operator gives one', 'role_grant', (id) => get(UsersService).grant(id!, { tenantId: staff.venue.id }), clerk],
  ['a role is made', 'venue_role', role],
  ['a role is changed', 'venue_role', (id) => get(VenueRolesService).change(id!, 'Other', { event: 'change' }), role],
  ['a role is removed', 'venue_role', (id) => get(VenueRolesService).remove(id!), role],
  ['roles need a factor', 'factor_rule', () => get(FactorRulesService).setRoles(['boxOffice'], staff.director.id)],
  ['somebody is invited', 'invitation', open],
  ['an invitation is taken back', 'invitation', (id) => get(InvitationsService).withdraw(id!, staff.director.id), open],
  ['an invitation is accepted', 'role_grant', accept, () => staff.invited(staff.newAddress())],
];

it.each(changes)('%s: a transaction that the database ends is repeated', async (_what, table, work, ready) => {
  const made = ready ? await ready() : '';
  await endedOnce(table, () => staff.here(() => work(made)));
});
