import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import {
  GrantsService,
  presets,
  runInTenant,
  TenantDb,
  UsersService,
  VenueRolesService,
  type NewGrant,
  type TenantIdentity,
} from '#tenancy';
import { newEvent } from '../support/builders.js';
import { openCommandLine } from '../support/command-line.js';
import { pageFaults, recordFaults, type PanelAnswer } from '../support/panel-client.js';
import { giveRight, staffWith, type RoleStaff } from '../support/role-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let smtp: SmtpSink;
let venue: TenantIdentity;
let director: RoleStaff;

beforeAll(async () => {
  smtp = await openSmtpSink();
  test = await startTestApp({ tenants: 'some', environment: { SMTP_URL: smtp.url } });
  test.app.get(JobRunner).start();
});
beforeEach(async () => {
  venue = await test.newTenant();
  director = await staffWith(test, venue, { role: 'direction' });
});
afterAll(async () => {
  await test.close();
  await smtp.close();
});

const here = <Result>(work: () => Promise<Result>): Promise<Result> => runInTenant(venue, work);
const people = async () => here(() => test.app.get(GrantsService).list());
const rightOf = async ({ id }: { id: string }) => (await people()).find(({ userId }) => userId === id);
const enters = async ({ client }: RoleStaff): Promise<number> => (await client.call('get', '/api/dashboard')).status;
const account = () => test.app.get(UsersService).create({ email: `${randomUUID()}@staff.example`, name: 'New' });
const change = (by: RoleStaff, { id }: { id: string }, fields: object): Promise<PanelAnswer> =>
  by.client.act('people', id, 'change', fields);

const add = (id: string, right: NewGrant, by: string): Promise<void> =>
  here(() => test.app.get(TenantDb).shared((tx) => test.app.get(GrantsService).addIn(tx, id, right, by)));

/** Somebody with an own role that may change people and sell, with no more than that. */
async function manager(grant: Partial<NewGrant> = {}): Promise<RoleStaff> {
  const role = await here(() =>
    test.app.get(VenueRolesService).create(`House ${randomUUID()}`, { ...presets.boxOffice, people: 'change' }),
  );
  return staffWith(test, venue, { role, ...grant });
}

describe('people', () => {
  it('are listed with role, scope, end and state', async () => {
    const event = await newEvent(test, venue);
    const ends = new Date(Date.now() + 86_400_000);
    const guest = await staffWith(test, venue, { role: 'coOrganiser', scope: { kind: 'events', eventIds: [event.id] }, endsAt: ends });
    const paused = await staffWith(test, venue, { role: 'boxOffice' });
    await giveRight(test, venue, paused.id, { role: 'boxOffice', isSuspended: true });
    const rows = (await director.client.list('people')).records!.map(({ params }) => params);
    expect(rows).toHaveLength(3);
    expect(rows.find(({ id }) => id === director.id)).toMatchObject({ role: 'Direction', scope: 'All events', state: 'active' });
    expect(rows.find(({ id }) => id === guest.id)).toMatchObject({
      email: guest.email,
      role: 'Co-organiser',
      scope: event.name,
      endsAt: ends.toISOString(),
      hasFactor: false,
    });
    expect(rows.find(({ id }) => id === paused.id)).toMatchObject({ role: 'Box office', state: 'suspended' });
    const filtered = (await director.client.list('people', { 'filters.state': 'suspended' })).records!;
    expect(filtered.map(({ id }) => id)).toEqual([paused.id]);
    expect((await director.client.look('people', guest.id)).record!.params['scope']).toBe(event.name);
  });

  it('are changed, suspended, let in again and removed', async () => {
    const event = await newEvent(test, venue);
    const person = await staffWith(test, venue, { role: 'readOnly' });
    const form = (await director.client.look('people', person.id, 'change')).view as { fields: { name: string; value: unknown }[] };
    expect(form.fields.find(({ name }) => name === 'role')?.value).toBe('readOnly');
    const chosen = { role: 'boxOffice', scope: 'events', events: [event.id], endsAt: '2999-01-01T12:00' };
    expect((await change(director, person, chosen)).notice?.message).toBe('changed');
    expect(await rightOf(person)).toMatchObject({
      grant: { role: 'boxOffice', scope: { kind: 'events', eventIds: [event.id] }, endsAt: expect.stringMatching(/^2999/) },
    });
    expect((await change(director, person, { role: 'doorManager', scope: 'kinds', kinds: ['LIV', 'x'] })).notice?.message).toBe('changed');
    expect(await rightOf(person)).toMatchObject({ grant: { scope: { kind: 'kinds', kinds: ['LIV'] } } });
    expect((await director.client.act('people', person.id, 'suspend')).notice?.message).toBe('suspended');
    expect(await enters(person)).toBe(401);
    // A change does not let in.
    await change(director, person, { role: 'readOnly', scope: 'all' });
    expect(await rightOf(person)).toMatchObject({ isSuspended: true, grant: { role: 'readOnly' } });
    expect((await director.client.act('people', person.id, 'letIn')).notice?.message).toBe('letInDone');
    expect((await person.client.signIn(person.email, person.password)).status).toBe(303);
    await director.client.act('people', person.id, 'delete');
    expect(await enters(person)).toBe(401);
    expect(await rightOf(person)).toBeUndefined();
  });

  it.each([
    [{ role: 'king', scope: 'all' }, ['role']],
    [{ role: '', scope: 'all' }, ['role']],
    [{ role: 'coOrganiser', scope: 'all' }, ['scope']],
    [{ role: 'boxOffice', scope: 'events', events: ['x', randomUUID()] }, ['scope']],
    [{ role: 'boxOffice', scope: 'kinds' }, ['scope']],
    [{ role: 'boxOffice', scope: 'all', endsAt: '2001-01-01T12:00' }, ['endsAt']],
    [{ role: 'boxOffice', scope: 'all', endsAt: 'soon' }, ['endsAt']],
  ])('keep their right when the form is %j', async (fields, faults) => {
    const person = await staffWith(test, venue, { role: 'readOnly' });
    expect(Object.keys(recordFaults(await change(director, person, fields)))).toEqual(faults);
    expect(await rightOf(person)).toMatchObject({ grant: { role: 'readOnly' } });
  });
});

describe('nobody', () => {
  it('gives more than the own right', async () => {
    const by = await manager();
    const person = await staffWith(test, venue, { role: 'doorManager' });
    // The door manager has more of the door.
    expect(Object.keys(recordFaults(await change(by, person, { role: 'boxOffice', scope: 'all' })))).toEqual(['role']);
    const seller = await staffWith(test, venue, { role: 'coOrganiser', scope: { kind: 'kinds', kinds: ['LIV'] } });
    for (const role of ['direction', 'accounting', 'programming']) {
      expect(Object.keys(recordFaults(await change(by, seller, { role, scope: 'all' })))).toEqual(['role']);
    }
    expect((await change(by, seller, { role: 'boxOffice', scope: 'all' })).notice?.message).toBe('changed');
    const { id, email } = await account();
    expect(Object.keys(pageFaults(await by.client.send('people', 'invite', { email, role: 'direction', scope: 'all' })))).toEqual(['role']);
    expect(await rightOf({ id })).toBeUndefined();
  });

  it('gives a later end or a wider scope than the own one', async () => {
    const ends = new Date(Date.now() + 3_600_000);
    const by = await manager({ endsAt: ends });
    const { email } = await account();
    const endless = { email, role: 'boxOffice', scope: 'all' };
    expect(Object.keys(pageFaults(await by.client.send('people', 'invite', endless)))).toEqual(['endsAt']);
    const scoped = await manager({ scope: { kind: 'kinds', kinds: ['LIV'] } });
    const { id } = await account();
    await expect(add(id, { role: 'boxOffice' }, scoped.id)).rejects.toMatchObject({ field: 'role' });
    await add(id, { role: 'boxOffice', scope: { kind: 'kinds', kinds: ['LIV'] } }, scoped.id);
    // People with chosen events do not open the list.
    expect((await scoped.client.call('get', '/api/resources/people/actions/list')).body.notice.type).toBe('error');
  });

  it('changes, suspends or removes people who have more', async () => {
    const by = await manager();
    for (const fields of [
      { role: 'boxOffice', scope: 'all' },
      { role: 'coOrganiser', scope: 'kinds', kinds: ['LIV'] },
    ]) {
      expect(Object.keys(recordFaults(await change(by, director, fields)))).toEqual(['role']);
    }
    for (const action of ['suspend', 'delete']) {
      expect((await by.client.act('people', director.id, action)).notice?.type).toBe('error');
    }
    expect(await enters(director)).toBe(200);
  });

  it('changes the own right, or the own role', async () => {
    const by = await manager();
    const other = await staffWith(test, venue, { role: 'direction' });
    for (const person of [by, other]) {
      for (const action of ['change', 'suspend', 'delete']) {
        const answer = await person.client.act('people', person.id, action, { role: 'readOnly', scope: 'all' });
        expect(answer.notice?.type).toBe('error');
      }
      expect(await enters(person)).toBe(200);
    }
    const { roleId } = (await rightOf(by))!.grant;
    expect(Object.keys(recordFaults(await by.client.act('roles', roleId!, 'edit', { name: 'Mine', eventLevel: 'none' })))).toEqual([
      'name',
    ]);
  });

  it('gives with a right that is taken away at the same time', async () => {
    const grants = test.app.get(GrantsService);
    for (let round = 0; round < 5; round += 1) {
      const [by, { id }] = [await manager(), await account()];
      const given = add(id, { role: 'boxOffice' }, by.id);
      const [added] = await Promise.allSettled([given, here(() => grants.remove(by.id))]);
      expect((await rightOf({ id })) !== undefined).toBe(added.status === 'fulfilled');
    }
  });

  it('reaches people of another venue', async () => {
    const elsewhere = await test.newTenant();
    const stranger = await staffWith(test, elsewhere, { role: 'direction' });
    for (const action of ['change', 'suspend', 'delete'])
      await director.client.act('people', stranger.id, action, { role: 'readOnly', scope: 'all' });
    await here(() => test.app.get(GrantsService).remove(stranger.id));
    expect(await enters(stranger)).toBe(200);
  });
});

describe('a role of the venue', () => {
  it('is made, changed, given and deleted when nobody has it', async () => {
    const { client } = director;
    const made = await client.create('roles', { name: 'Bar', eventLevel: 'see', reservationLevel: 'checkIn' });
    const { id } = made.record!;
    const role = async () => (await here(() => test.app.get(VenueRolesService).list())).find((one) => one.id === id);
    expect((await role())?.levels).toEqual({ event: 'see', reservation: 'checkIn' });
    expect(recordFaults(await client.create('roles', { name: 'Bar' }))['name']).toBeDefined();
    await client.act('roles', id, 'edit', { name: 'Bar', eventLevel: 'change' });
    expect((await role())?.levels).toEqual({ event: 'change', reservation: 'checkIn' });
    const person = await staffWith(test, venue, { role: 'readOnly' });
    await change(director, person, { role: id, scope: 'all' });
    expect((await client.look('people', person.id)).record!.params['role']).toBe('Bar');
    expect((await client.act('roles', id, 'delete')).notice?.type).toBe('error');
    await client.act('people', person.id, 'delete');
    await client.act('roles', id, 'delete');
    expect(await role()).toBeUndefined();
    const told = (await client.list('changes')).records!.map(({ params }) => String(params['sentence']));
    for (const sentence of [/Own role made – Bar – /, /Own role changed – Bar – [^–]+: .+ → /, /Own role deleted – Bar/])
      expect(told.filter((text) => sentence.test(text))).toHaveLength(1);
  });

  it('has no level above those of who makes, changes or deletes it', async () => {
    const { client } = await manager();
    expect(recordFaults(await client.create('roles', { name: 'More', refundLevel: 'give' }))['name']).toBeDefined();
    const id = await here(() => test.app.get(VenueRolesService).create('Programme', presets.programming));
    expect(recordFaults(await client.act('roles', id, 'edit', { name: 'Programme', eventLevel: 'none' }))['name']).toBeDefined();
    expect((await client.act('roles', id, 'delete')).notice?.type).toBe('error');
    const made = await client.create('roles', { name: 'Less', eventLevel: 'see' });
    expect(made.record?.id).toBeTruthy();
    expect(
      recordFaults(await client.act('roles', made.record!.id, 'edit', { name: 'Less', profileLevel: 'change' }))['name'],
    ).toBeDefined();
  });
});

it('is given and suspended on the command line', async () => {
  const line = await openCommandLine(test);
  const { id, email } = await account();
  const event = await newEvent(test, venue);
  const whom = ['--email', email, '--tenant', venue.slug];
  const rights = async (...words: string[]): Promise<{ tenants: string[]; roles: object[] }> => {
    const { code, stdout } = await line.run(['user', ...words, '--json']);
    expect(code).toBe(0);
    return JSON.parse(stdout) as { tenants: string[]; roles: object[] };
  };
  const given = await rights('grant', ...whom, '--role', 'boxOffice', '--events', event.slug, '--until', '2998-12-31');
  const role = { tenant: venue.slug, role: 'boxOffice', scope: 'events', ends_at: expect.stringMatching(/^2998-12-31T2/) };
  expect(given).toMatchObject({ tenants: [], roles: [role] });
  expect(await rights('grant', ...whom, '--suspend')).toMatchObject({ roles: [{ ...role, suspended: true }] });
  expect((await line.run(['user', 'list'])).stdout).toContain(
    `boxOffice at ${venue.slug} (chosen events, until 2998-12-31 23:59, suspended)`,
  );
  for (const wrong of [
    ['--role', 'king'],
    ['--role', 'boxOffice', '--events', 'nothing'],
    ['--events', event.slug],
  ]) {
    expect((await line.run(['user', 'grant', ...whom, ...wrong])).code).not.toBe(0);
  }
  expect(await rightOf({ id })).toMatchObject({ isSuspended: true });
  expect(await rights('revoke', ...whom)).toMatchObject({ tenants: [], roles: [] });
  await line.close();
}, 60_000);
