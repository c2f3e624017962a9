import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountErasureService } from '#holders';
import { ChangesService, GrantsService, TenantHistoryService } from '#tenancy';
import { openCommandLine } from '../support/command-line.js';
import { InvitedStaff } from '../support/invited-staff.js';
import { pageFaults } from '../support/panel-client.js';
import { giveRight, staffWith, type RoleStaff } from '../support/role-staff.js';

let staff: InvitedStaff;
beforeAll(async () => {
  staff = await InvitedStaff.open();
});
beforeEach(() => staff.begin());
afterAll(() => staff.close());

const password = 'plum lantern orchard';

describe('the right of who invites', () => {
  it('is judged when the invitation is made, changed and taken back', async () => {
    const by = await staff.manager();
    expect(Object.keys(pageFaults(await staff.invite(staff.newAddress(), { role: 'direction' }, by)))).toEqual(['role']);
    const email = staff.newAddress();
    await staff.invited(email, { role: 'direction' });
    const { id } = (await staff.invitations())[0]!;
    for (const action of ['takeBack', 'resend']) expect((await by.client.act('people', id, action)).notice?.type).toBe('error');
    await by.client.act('people', id, 'change', { role: 'boxOffice', scope: 'all' });
    expect(await staff.invitations()).toMatchObject([{ email, grant: { role: 'direction' }, invitedBy: staff.director.id }]);
  });

  it.each([
    ['was removed', async (by: RoleStaff) => staff.here(() => staff.test.app.get(GrantsService).remove(by.id))],
    ['is suspended', async (by: RoleStaff) => staff.here(() => staff.test.app.get(GrantsService).suspend(by.id, true))],
    ['may not change people any more', async (by: RoleStaff) => giveRight(staff.test, staff.venue, by.id, { role: 'boxOffice' })],
    ['has less than is offered', async (by: RoleStaff) => giveRight(staff.test, staff.venue, by.id, { role: 'doorManager' })],
  ])('is judged again at the acceptance: nothing is given when the person %s', async (_what, change) => {
    const [by, known, email] = [await staff.manager(), await staff.account(), staff.newAddress()];
    const paths = [await staff.invited(known.email, {}, by), await staff.invited(email, {}, by)];
    await change(by);
    const answers = [
      await staff.browser().form(paths[0]!, { password: known.password }),
      await staff.browser().form(paths[1]!, { name: 'Noa', password }),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([409, expect.stringContaining('no longer valid')]);
    expect([await staff.rightOf(known.email), await staff.rightOf(email)]).toEqual([undefined, undefined]);
    expect(await staff.findUser(email)).toBeNull();
    // A director who sends it again stands in for it.
    expect((await staff.act(email, 'resend')).notice?.message).toBe('resent');
    expect((await staff.browser().form(await staff.linkTo(email, 2), { name: 'Noa', password })).status).toBe(303);
  });
});

describe('at the same time', () => {
  const rights = async (email: string): Promise<number> => (await staff.everybody()).filter((person) => person.email === email).length;

  // Seen to fail without the condition on `closed_at`: the second is refused as somebody who has a right.
  it('two acceptances are one', async () => {
    for (let round = 0; round < 4; round += 1) {
      const known = round % 2 === 0 ? await staff.account() : undefined;
      const email = known?.email ?? staff.newAddress();
      const path = await staff.invited(email);
      const fields: Record<string, string> = known ? { password: known.password } : { name: 'Noa', password };
      const answers = await Promise.all([staff.browser().form(path, fields), staff.browser().form(path, fields)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 410]);
      expect(await rights(email)).toBe(1);
    }
  });

  // Seen to fail without the condition on `closed_at`: it is taken back, and the person has the right.
  it('an acceptance and taking back: one of them wins', async () => {
    for (let round = 0; round < 6; round += 1) {
      const email = staff.newAddress();
      const path = await staff.invited(email);
      const [answer, back] = await Promise.all([staff.browser().form(path, { name: 'Noa', password }), staff.act(email, 'takeBack')]);
      const isTakenBack = back.notice?.message === 'takenBack';
      expect([answer.status, await rights(email)]).toEqual(isTakenBack ? [410, 0] : [303, 1]);
      expect((await staff.findUser(email)) === null).toBe(isTakenBack);
    }
  });

  it('an acceptance and the loss of the right of who invites: nothing is given beyond it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [by, known] = [await staff.manager(), await staff.account()];
      const path = await staff.invited(known.email, {}, by);
      const loss = staff.here(() => staff.test.app.get(GrantsService).remove(by.id));
      const [answer] = await Promise.all([staff.browser().form(path, { password: known.password }), loss]);
      expect(await rights(known.email)).toBe(answer.status === 303 ? 1 : 0);
    }
  });

  // Seen to fail without the lock in `refuseTooMany`.
  it('more invitations than one address may get: the rest is refused', async () => {
    const email = staff.newAddress();
    // Each database server counts the mails to an address.
    const { node } = staff.venue;
    const venues = await Promise.all(Array.from({ length: 3 }, () => staff.test.newTenant({ node })));
    const others = await Promise.all(venues.map((tenant) => staffWith(staff.test, tenant, { role: 'direction' })));
    await staff.invited(email);
    await staff.test.database.query('update shared.invitation set mails = 8 where email = $1', [email]);
    const answers = await Promise.all(others.map((by) => staff.invite(email, {}, by)));
    expect(answers.filter(({ notice }) => notice?.message === 'invited')).toHaveLength(2);
  });
});

it('is made and taken back on the command line', async () => {
  const line = await openCommandLine(staff.test);
  const email = staff.newAddress();
  const whom = ['--email', email, '--tenant', staff.venue.slug];
  const made = await line.run(['user', 'invite', ...whom, '--role', 'doorManager', '--until', '2998-12-31', '--note', 'Hi', '--json'], {
    SMTP_URL: staff.smtp.url,
  });
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(made.stdout)).toMatchObject({ email, tenant: staff.venue.slug, role: 'doorManager' });
  const path = await staff.linkTo(email);
  expect(staff.textsTo(email)[0]).toContain(`You are invited to the panel of ${staff.venue.name}`);
  const again = await line.run(['user', 'invite', ...whom], { SMTP_URL: staff.smtp.url });
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`user revoke ${whom.join(' ')}`)]);
  const cashier = await line.run(['user', 'invite', '--email', staff.newAddress(), ...whom.slice(2), '--role', 'cashier']);
  expect([cashier.code, cashier.stderr]).toEqual([1, expect.stringMatching(/no role "cashier" .* direction, programming, boxOffice,/)]);
  const back = await line.run(['user', 'revoke', ...whom, '--json']);
  expect([back.code, JSON.parse(back.stdout)]).toEqual([0, { email, tenant: staff.venue.slug }]);
  const gone = await line.run(['user', 'revoke', ...whom]);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('no open invitation')]);
  expect((await staff.browser().form(path, { name: 'Late', password })).status).toBe(410);
  await line.close();
}, 60_000);

it('invitations are limited by address and by venue', async () => {
  const email = staff.newAddress();
  await staff.invited(email);
  for (let mail = 2; mail <= 5; mail += 1) expect((await staff.act(email, 'resend')).notice?.message).toBe('resent');
  expect((await staff.act(email, 'resend')).notice?.type).toBe('error');
  // Taking back and inviting again does not help.
  await staff.act(email, 'takeBack');
  expect(pageFaults(await staff.invite(email))['email']).toContain('Too many');
  // Nor does another staff.venue, for long.
  for (let round = 0; round < 2; round += 1) {
    const by = await staffWith(staff.test, await staff.test.newTenant(), { role: 'direction' });
    await staff.invite(email, {}, by);
  }
  await staff.test.database.query('update shared.invitation set mails = 9 where email = $1 and closed_at is null', [email]);
  const last = await staffWith(staff.test, await staff.test.newTenant({ node: staff.venue.node }), { role: 'direction' });
  expect(pageFaults(await staff.invite(email, {}, last))['email']).toContain('Too many');
  await staff.test.database.query('update shared.invitation set mails = 100 where tenant_id = $1', [staff.venue.id]);
  expect(pageFaults(await staff.invite(staff.newAddress()))['email']).toContain('Too many');
  await staff.test.database.query(`update shared.invitation set asked_at = now() - interval '25 hours'`);
  expect((await staff.invite(email)).notice?.message).toBe('invited');
});

it('an erasure forgets the invited address, which the records name by reference, and leaves the chain whole', async () => {
  const { test, venue } = staff;
  const email = staff.newAddress();
  await staff.invite(email);
  const told = async (): Promise<string> => {
    const { records } = await staff.director.client.list('changes');
    return records!.map(({ params }) => String(params['sentence'])).find((text) => text.includes('Person invited')) ?? '';
  };
  expect(await told()).toContain(email);
  // When a tenant moves, its acts stay on the server that recorded them.
  const [invitation] = await staff.invitations();
  const act = `insert into shared.tenant_change (tenant_id, slug, actor, action, details)
    values ($1, $2, 'spec', 'invited', jsonb_build_object('invitation', $3::text))`;
  await test.database.onServers((query) => query(act, [venue.id, venue.slug, invitation!.id]));
  const named = async (): Promise<unknown[]> => {
    const changes = await test.app.get(TenantHistoryService).list(venue.id);
    return changes.filter(({ actor }) => actor === 'spec').map(({ details }) => details['host']);
  };
  expect(new Set(await named())).toEqual(new Set([email]));
  expect((await staff.act(email, 'takeBack')).notice?.message).toBe('takenBack');
  expect(await told()).toContain(email);
  await staff.here(() => test.app.get(AccountErasureService).erase({ email, emailKey: email }));
  const kept = await test.database.query(
    `select c::text from "${venue.schemaName}".change c where c::text like $1 union all
     select t::text from shared.tenant_change t where t::text like $1
       union all select i::text from shared.invitation i where i::text like $1`,
    [`%${email}%`],
  );
  expect(kept).toEqual([]);
  expect(await told()).toContain('…');
  expect(new Set(await named())).toEqual(new Set(['…']));
  expect((await staff.here(() => test.app.get(ChangesService).verify())).broken).toEqual([]);
});
