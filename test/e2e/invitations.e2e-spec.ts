import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuotasService, SecondFactorService, TenantLifeService, UsersService } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { InvitedStaff } from '../support/invited-staff.js';
import { pageFaults } from '../support/panel-client.js';
import { giveRight, staffWith } from '../support/role-staff.js';
import { StaffBrowser } from '../support/staff-browser.js';

let staff: InvitedStaff;
beforeAll(async () => {
  staff = await InvitedStaff.open();
});
beforeEach(() => staff.begin());
afterAll(() => staff.close());

const password = 'plum lantern orchard';
const refused = 'This is not the password';

describe('somebody without an account', () => {
  it('gets a mail with all that is offered, chooses name and password and is signed in', async () => {
    const email = staff.newAddress();
    const event = await newEvent(staff.test, staff.venue);
    const ends = '2998-05-01T12:00';
    const path = await staff.invited(email.toUpperCase(), {
      scope: 'events',
      events: [event.id],
      endsAt: ends,
      note: 'See you <b>soon</b>!',
    });
    const [mail = ''] = staff.textsTo(email);
    for (const part of [
      `Role invites you to the panel of ${staff.venue.name}`,
      'Box office',
      event.name,
      '2998',
      'Role writes: See you <b>soon</b>!',
    ])
      expect(mail).toContain(part);
    expect(await staff.rightOf(email)).toBeUndefined();
    const person = staff.browser();
    const page = (await person.call('get', path)).text;
    for (const part of ['Box office', event.name, '2998', 'See you &lt;b>soon', email]) expect(page).toContain(part);
    // Nothing but the page was read: no account, and the link still works.
    expect((await person.form(path, { name: ' ', password })).status).toBe(400);
    expect((await person.form(path, { name: 'Noa', password: 'short' })).status).toBe(400);
    expect(await staff.findUser(email)).toBeNull();
    const accepted = await person.form(path, { name: ' Noa ', password });
    expect([accepted.status, accepted.headers['location']]).toEqual([303, '/admin']);
    expect(await person.isIn()).toBe(true);
    expect(await staff.rightOf(email)).toMatchObject({
      name: 'Noa',
      grant: { role: 'boxOffice', scope: { kind: 'events', eventIds: [event.id] }, endsAt: expect.stringMatching(/^2998-05-01/) },
    });
    expect(await staff.invitations()).toEqual([]);
    // Once only, in any browser.
    expect((await person.call('get', path)).status).toBe(410);
    expect((await staff.browser().form(path, { name: 'Eve', password })).status).toBe(410);
    expect((await staff.browser().signIn(email, password)).status).toBe(303);
    await eventually(() => expect(staff.textsTo(email).join()).toContain('Your right to the panel'));
  });

  it('is read about as sentences in the record of changes', async () => {
    const [noa, ben] = [staff.newAddress(), staff.newAddress()];
    const path = await staff.invited(noa);
    await staff.invited(ben);
    await staff.act(ben, 'resend');
    await staff.linkTo(ben, 2);
    expect((await staff.act(ben, 'change', { role: 'doorManager', scope: 'all' })).notice?.message).toBe('renewed');
    expect((await staff.act(ben, 'takeBack')).notice?.message).toBe('takenBack');
    expect((await staff.browser().form(path, { name: 'Noa', password })).status).toBe(303);
    const told = (await staff.director.client.list('changes')).records!.map(({ params }) => String(params['sentence']));
    for (const [who, what, email] of [
      ['Role', 'Person invited', noa],
      ['Noa', 'Invitation accepted', noa],
      ['Role', 'Person invited', ben],
      ['Role', 'Invitation sent again', ben],
      ['Role', 'Invitation changed', ben],
      ['Role', 'Invitation taken back', ben],
    ] as const) {
      expect(told.filter((text) => text.includes(who) && text.includes(what) && text.includes(email))).toHaveLength(1);
    }
    expect(told.find((text) => text.includes('Invitation changed'))).toContain(`Door manager – All events – ${ben}`);
  });
});

describe('somebody with an account', () => {
  it('accepts with its password, and has no right before', async () => {
    const known = await staff.account();
    const path = await staff.invited(known.email);
    expect(staff.textsTo(known.email)[0]).toContain('Hello Known,');
    const person = staff.browser();
    expect((await person.call('get', path)).text).toContain('Password of your account');
    expect((await person.signIn(known.email, known.password)).status).toBe(401);
    const wrong = await person.form(path, { password: 'not this one at all' });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining(refused)]);
    // Name and password of a new account are not asked, and do not count.
    expect((await person.form(path, { name: 'Eve', password })).status).toBe(403);
    expect(await staff.rightOf(known.email)).toBeUndefined();
    expect((await person.form(path, { password: known.password })).status).toBe(303);
    expect(await person.isIn()).toBe(true);
    expect(await staff.rightOf(known.email)).toMatchObject({ name: 'Known', grant: { role: 'boxOffice' } });
  });

  it('gets the mail in the chosen language, others in that of the place', async () => {
    const { id, email } = await staff.account();
    await staff.test.app.get(UsersService).change(id, { language: 'de' });
    await staff.invited(email);
    expect(staff.textsTo(email)[0]).toContain('lädt Sie ein');
    await staff.test.database.query(`update shared.tenant set language = 'fr' where id = $1`, [staff.venue.id]);
    staff.venue = { ...staff.venue, language: 'fr' };
    const other = staff.newAddress();
    await eventually(async () => {
      const { language } = (
        await staff.test.database.query<{ language: string }>('select language from shared.tenant where id = $1', [staff.venue.id])
      )[0]!;
      expect(language).toBe('fr');
    });
    await staff.invited(other);
    expect(staff.textsTo(other)[0]).toContain('vous invite');
  });

  it('is asked to wait after five wrong passwords', async () => {
    const known = await staff.account();
    const path = await staff.invited(known.email);
    for (let guess = 0; guess < 5; guess += 1) await staff.browser().form(path, { password: `not this one ${guess}` });
    expect((await staff.browser().form(path, { password: known.password })).status).toBe(429);
    expect(await staff.rightOf(known.email)).toBeUndefined();
  });

  it('is asked for the code of the second factor before the panel opens', async () => {
    const known = await staff.account();
    const factor = staff.test.app.get(SecondFactorService);
    await staff.here(() => factor.begin(known.id));
    await staff.test.database.query('update shared.second_factor set confirmed_at = now() where user_id = $1', [known.id]);
    const path = await staff.invited(known.email);
    const person = staff.browser();
    expect((await person.form(path, { password: known.password })).headers['location']).toBe('/admin/login/code');
    expect(await person.isIn()).toBe(false);
  });

  it('may choose another password first, and then accepts', async () => {
    const known = await staff.account();
    const path = await staff.invited(known.email);
    const person = staff.browser();
    await person.form('/forgotten', { email: known.email });
    const links = (): string[] => staff.textsTo(known.email).flatMap((text) => /\/admin(\/password\/[\w-]{43})/.exec(text)?.[1] ?? []);
    await eventually(() => expect(links()).toHaveLength(1));
    await person.form(links()[0]!, { password });
    expect(await person.isIn()).toBe(false);
    expect((await person.form(path, { password })).status).toBe(303);
    expect(await person.isIn()).toBe(true);
  });
});

describe('an invitation that was passed on', () => {
  it('gives no right to somebody else who is signed in, and says so', async () => {
    for (const email of [staff.newAddress(), (await staff.account()).email]) {
      const path = await staff.invited(email);
      const other = await staff.account();
      await giveRight(staff.test, staff.venue, other.id, { role: 'readOnly' });
      const browsing = staff.browser();
      await browsing.signIn(other.email, other.password);
      expect((await browsing.call('get', path)).text).toContain(`This invitation is for ${email}`);
      const refusal = await browsing.form(path, { name: 'Eve', password: other.password });
      expect([refusal.status, refusal.text]).toEqual([403, expect.stringContaining(`you are signed in as ${other.email}`)]);
      expect(await staff.rightOf(other.email)).toMatchObject({ grant: { role: 'readOnly' } });
      expect(await staff.rightOf(email)).toBeUndefined();
    }
  });

  it('cannot be accepted with the password of another account, nor at another place', async () => {
    const [known, other] = [await staff.account(), await staff.account()];
    const path = await staff.invited(known.email);
    expect((await staff.browser().form(path, { username: other.email, email: other.email, password: other.password })).status).toBe(403);
    expect((await staff.everybody()).map(({ email }) => email)).toEqual([staff.director.email]);
    const elsewhere = new StaffBrowser(staff.test, await staff.test.newTenant(), '192.0.2.9');
    expect((await elsewhere.form(path, { password: known.password })).status).toBe(410);
  });
});

describe('open invitations', () => {
  it('stand in the list of people, are sent again, changed and taken back', async () => {
    const email = staff.newAddress();
    const first = await staff.invited(email);
    const rowOf = async () =>
      (await staff.director.client.list('people')).records!.map(({ params }) => params).find((row) => row['email'] === email);
    expect(await rowOf()).toMatchObject({ name: email, role: 'Box office', scope: 'All events', state: 'invited' });
    expect((await rowOf())!['invited']).toMatch(/^By Role, /);
    const found = async (filter: Record<string, string>) =>
      (await staff.director.client.list('people', filter)).records!.map(({ params }) => params['email']);
    expect(await found({ 'filters.state': 'invited' })).toEqual([email]);
    expect(await found({ 'filters.state': 'active' })).toEqual([staff.director.email]);
    expect(await found({ 'filters.email': email.slice(0, 12) })).toEqual([email]);
    expect((await staff.act(email, 'resend')).notice?.message).toBe('resent');
    const second = await staff.linkTo(email, 2);
    // A later link replaces the earlier one.
    expect((await staff.browser().call('get', first)).status).toBe(410);
    const form = (await staff.director.client.look('people', (await staff.invitations())[0]!.id, 'change')).view as {
      fields: { name: string; value: unknown }[];
    };
    expect(form.fields.find(({ name }) => name === 'role')?.value).toBe('boxOffice');
    expect((await staff.act(email, 'change', { role: 'doorManager', scope: 'all', note: 'Now the door' })).notice?.message).toBe('renewed');
    const third = await staff.linkTo(email, 3);
    expect((await staff.browser().call('get', second)).status).toBe(410);
    expect((await staff.browser().call('get', third)).text).toContain('Door manager');
    await staff.test.database.query(`update shared.invitation set expires_at = now() - interval '1 second' where email = $1`, [email]);
    expect((await rowOf())?.['state']).toBe('expired');
    expect((await staff.browser().form(third, { name: 'Late', password })).status).toBe(410);
    expect((await staff.act(email, 'resend')).notice?.message).toBe('resent');
    const fourth = await staff.linkTo(email, 4);
    expect((await staff.act(email, 'takeBack')).notice?.message).toBe('takenBack');
    expect((await staff.browser().form(fourth, { name: 'Late', password })).status).toBe(410);
    expect(await rowOf()).toBeUndefined();
    expect(await staff.findUser(email)).toBeNull();
  });

  it('store no token', async () => {
    const path = await staff.invited(staff.newAddress());
    const rows = await staff.test.database.query('select i::text as row from shared.invitation i');
    expect(JSON.stringify(rows)).not.toContain(path.split('/').at(-1));
  });

  it('are refused to people who are in the list or invited already, and without People', async () => {
    const person = await staffWith(staff.test, staff.venue, { role: 'readOnly' });
    expect(Object.keys(pageFaults(await staff.invite(person.email)))).toEqual(['email']);
    const email = staff.newAddress();
    await staff.invited(email);
    expect(Object.keys(pageFaults(await staff.invite(email)))).toEqual(['email']);
    expect(Object.keys(pageFaults(await staff.invite('nobody')))).toEqual(['email']);
    expect(Object.keys(pageFaults(await staff.invite(staff.newAddress(), { note: 'x'.repeat(301) })))).toEqual(['note']);
    const seller = await staffWith(staff.test, staff.venue, { role: 'boxOffice' });
    expect((await staff.invite(staff.newAddress(), {}, seller)).notice?.type).toBe('error');
    expect(await staff.invitations()).toHaveLength(1);
  });

  it('end when the person gets a right in another way', async () => {
    const known = await staff.account();
    const path = await staff.invited(known.email, { role: 'direction' });
    await giveRight(staff.test, staff.venue, known.id, { role: 'readOnly' });
    expect((await staff.browser().form(path, { password: known.password })).status).toBe(410);
    expect(await staff.rightOf(known.email)).toMatchObject({ grant: { role: 'readOnly' } });
  });

  it('end when the operator gives or takes the right', async () => {
    const users = staff.test.app.get(UsersService);
    for (const work of ['grant', 'revoke'] as const) {
      const known = await staff.account();
      const path = await staff.invited(known.email, { role: 'boxOffice' });
      if (work === 'grant') await users.grant(known.id, { tenantId: staff.venue.id });
      else await users.revoke(known.id, staff.venue.id);
      expect((await staff.browser().form(path, { password: known.password })).status).toBe(410);
      expect((await staff.rightOf(known.email))?.grant.role).toBe(work === 'grant' ? 'direction' : undefined);
    }
  });

  it('keep their line and its author when a colleague sends them again, while the author may give the right', async () => {
    const by = await staff.manager();
    const email = staff.newAddress();
    await staff.invited(email, { note: 'See you on Friday' }, by);
    await staff.act(email, 'resend');
    expect(await staff.invitations()).toMatchObject([{ note: 'See you on Friday', invitedBy: by.id }]);
    await giveRight(staff.test, staff.venue, by.id, { role: 'readOnly' });
    await staff.act(email, 'resend');
    expect(await staff.invitations()).toMatchObject([{ note: null, invitedBy: staff.director.id }]);
  });

  it('count for the quota of mails of the venue when they are sent, and not when they are refused', async () => {
    const quotas = staff.test.app.get(QuotasService);
    await quotas.change(staff.venue, { mails: 2 });
    const [known, other] = [await staff.account(), await staff.account()];
    for (const email of [staff.director.email, 'nobody']) expect((await staff.invite(email)).notice?.message).not.toBe('invited');
    expect((await staff.invite(known.email)).notice?.message).toBe('invited');
    expect((await staff.invite(staff.newAddress())).notice?.message).toBe('invited');
    // Whether or not there is an account.
    for (const email of [other.email, staff.newAddress()]) expect(pageFaults(await staff.invite(email))['email']).toContain('today');
    expect(await staff.invitations()).toHaveLength(2);
  });

  it('cannot be accepted while the place is read-only, which the page says', async () => {
    const path = await staff.invited(staff.newAddress());
    const life = staff.test.app.get(TenantLifeService);
    await life.archive(staff.venue.id, 'The house closes');
    const { status, text } = await staff.browser().form(path, { name: 'Noa', password });
    expect([status, text]).toEqual([403, expect.stringContaining('nothing can be changed')]);
    await life.restore(staff.venue.id, 'It opens again');
    expect((await staff.browser().form(path, { name: 'Noa', password })).status).toBe(303);
  });

  it('are of one venue: another one neither sees nor changes them', async () => {
    const email = staff.newAddress();
    await staff.invited(email);
    const { id } = (await staff.invitations())[0]!;
    const stranger = await staffWith(staff.test, await staff.test.newTenant(), { role: 'direction' });
    for (const action of ['resend', 'takeBack', 'change'])
      await stranger.client.act('people', id, action, { role: 'readOnly', scope: 'all' });
    expect((await stranger.client.list('people')).records).toHaveLength(1);
    expect(await staff.invitations()).toMatchObject([{ email, grant: { role: 'boxOffice' } }]);
  });
});
