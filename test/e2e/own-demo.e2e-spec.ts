import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { formFields, sendForm } from '../support/place-form.js';
import { staffWith, type RoleStaff } from '../support/role-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let director: RoleStaff;

beforeAll(async () => {
  test = await startTestApp({ environment: { DEMO: 'on' } });
  venue = await test.newTenant();
  director = await staffWith(test, venue, { role: 'direction' });
});
afterAll(() => test?.close());

describe('a demo on one’s own computer without a mail server', () => {
  it('says that an invitation is not sent, and shows its link', async () => {
    const { client } = director;
    expect((await client.page('people', 'invite')).view!['lead']).toContain(
      'This demo sends no mails. After inviting, choose “Show the link” and hand it to the person.',
    );
    const email = `${randomUUID()}@invited.example`;
    const invited = await client.send('people', 'invite', { email, role: 'boxOffice', scope: 'all' });
    expect(invited.notice?.message).toBe('invitedShown');
    const id = /records\/([^/]+)/.exec(invited.redirectUrl!)![1]!;
    expect((await client.act('people', id, 'resend', { confirmed: true })).notice?.message).toBe('resentKept');
    const { view } = await client.act('people', id, 'link', { confirmed: true });
    const [link] = (view!['report'] as { facts: string[] }).facts;
    const { host, pathname } = new URL(link!);
    expect(host.split(':')[0]).toBe(venue.host);
    expect((await test.on(venue.host).get(pathname).set('Accept-Language', 'en').expect(200)).text).toContain(email);
  });

  it('shows links that sign in to programs of this machine alone, not to what comes through a proxy', async () => {
    const email = `${randomUUID()}@visitor.example`;
    const ask = (headers: Readonly<Record<string, string>>) =>
      test
        .on(venue)
        .post('/account')
        .set({ Origin: `http://${venue.host}`, ...headers })
        .type('form')
        .send({ email })
        .expect(200);
    const link = 'href="/account/open/';
    expect((await ask({})).text).toContain(link);
    for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Host'])
      expect((await ask({ [header]: header === 'X-Forwarded-Host' ? venue.host : '127.0.0.1' })).text).not.toContain(link);
  });

  it('shows the link of the mail after the form for a new place', async () => {
    const { headers } = await sendForm(test, '/tenant/new/', formFields()).expect(303);
    const { text } = await test.on('meta.localhost').get(headers['location']!).expect(200);
    const [, path = ''] = /href="(\/tenant\/new\/[^"]{30,})"/.exec(text) ?? [];
    await test.on('meta.localhost').get(path).expect(200);
  });
});

describe('a server without a mail server', () => {
  it('names whom to ask for the link of a new place, and shows links of invitations to nobody', async () => {
    const settings = test.settings as { -readonly [Name in keyof typeof test.settings]: (typeof test.settings)[Name] };
    const { baseDomain, adminEmail } = settings;
    Object.assign(settings, { baseDomain: 'tickets.example', adminEmail: 'ops@tickets.example' });
    try {
      const page = await test.on('meta.localhost').get('/tenant/new/sent').set('Accept-Language', 'en').expect(200);
      expect(page.text).toContain('Contact of the operators:');
      expect(page.text).toContain('href="mailto:ops@tickets.example"');
      const { client } = director;
      expect((await client.page('people', 'invite')).view!['lead']).toContainEqual(expect.stringContaining('(ops@tickets.example)'));
      const email = `${randomUUID()}@invited.example`;
      const { redirectUrl } = await client.send('people', 'invite', { email, role: 'boxOffice', scope: 'all' });
      const id = /records\/([^/]+)/.exec(redirectUrl!)![1]!;
      expect((await client.look('people', id)).record!.params).toMatchObject({ email, state: 'invited' });
      expect(JSON.stringify(await client.act('people', id, 'link', { confirmed: true }))).not.toContain('/admin/invitation/');
    } finally {
      Object.assign(settings, { baseDomain, adminEmail });
    }
  });
});
