import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner, TaskSchedulerService } from '#jobs';
import { TenantsService } from '#tenancy';
import { SignupInvitationsService } from '#places';
import { formFields, hiddenOf, linkIn, mailTo, sendForm } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let open: TestApp;
let invited: TestApp;
let off: TestApp;
let smtp: SmtpSink;
const meta = 'meta.localhost';

beforeAll(async () => {
  smtp = await openSmtpSink();
  const environment = { SMTP_URL: smtp.url, TENANT_FORM_WAITING: '22', RATE_TENANT_FORM: '45/h' };
  open = await startTestApp({ environment: { ...environment, TRUSTED_PROXIES: '127.0.0.1' } });
  invited = await startTestApp({ environment: { ...environment, TENANT_FORM: 'invitation' }, database: open.database });
  off = await startTestApp({ environment: { ...environment, TENANT_FORM: 'off' }, database: open.database });
  invited.app.get(JobRunner).start();
});
afterAll(async () => {
  await off?.close();
  await invited?.close();
  await open?.close();
  await smtp?.close();
});

const forget = () => open.database.query('delete from shared.place_request');
const waiting = async (): Promise<number> =>
  (await open.database.query<{ count: number }>('select count(*)::int as count from shared.place_request'))[0]!.count;
/** Sends a form from a network; each network has its own rate limits. */
const sendFrom = (network: number, more: Record<string, string> = {}) =>
  sendForm(open, '/tenant/new/', formFields(more)).set('X-Forwarded-For', `198.51.100.${network}`).set('Accept', 'text/html');

describe('the limits of the form for new places', () => {
  it('accept five forms a day for one address, 20 of one network and TENANT_FORM_WAITING in total', async () => {
    // Verified to fail without the lock in `SignupRequestsService.open`.
    const email = 'much@example.org';
    const ofAddress = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((network) => sendFrom(network, { email })));
    expect(ofAddress.map(({ status }) => status).toSorted()).toEqual([303, 303, 303, 303, 303, 429, 429]);
    await forget();
    const ofNetwork = await Promise.all(Array.from({ length: 24 }, () => sendFrom(10)));
    expect(ofNetwork.filter(({ status }) => status === 303)).toHaveLength(20);
    expect(await waiting()).toBe(20);
    const inAll = await Promise.all([11, 12, 13, 14].map((network) => sendFrom(network)));
    expect(inAll.map(({ status }) => status).toSorted()).toEqual([303, 303, 429, 429]);
    expect(await waiting()).toBe(22);
    const refused = inAll.find(({ status }) => status === 429)!;
    expect(refused.headers).toMatchObject({ 'retry-after': '3600', 'content-type': 'text/html; charset=utf-8' });
    expect((await sendFrom(16).set('Accept', 'application/json').expect(429)).body).toMatchObject({
      code: 'place.form_full',
    });
    // Expired requests do not count.
    await open.database.query(`update shared.place_request set expires_at = now() - interval '1 minute'`);
    await sendFrom(15).expect(303);
    await forget();
  });

  it('count every form of a network, and answer 429 with a page', async () => {
    for (let sent = 0; sent < 45; sent += 1) await sendFrom(20, { terms: '', name: ' ' }).expect(400);
    const refused = await sendFrom(20).set('Accept-Language', 'fr').expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).toContain('<html lang="fr"');
    await sendFrom(21, { terms: '' }).expect(400);
  });

  it('delete forms a day after their expiry', async () => {
    await sendFrom(30).expect(303);
    await open.app.get(TaskSchedulerService).run('prune forms of new places');
    expect(await waiting()).toBe(1);
    await open.database.query(`update shared.place_request set expires_at = now() - interval '25 hours'`);
    await open.app.get(TaskSchedulerService).run('prune forms of new places');
    expect(await waiting()).toBe(0);
  });
});

describe('a closed form', () => {
  it('answers 404, or asks for an invitation', async () => {
    await off.on(meta).get('/tenant/new/').expect(404);
    await sendForm(off, '/tenant/new/', formFields()).expect(404);
    const page = await invited.on(meta).get('/tenant/new/').set('Accept-Language', 'en').expect(403);
    expect(page.text).toContain('By invitation only');
    await sendForm(invited, '/tenant/new/', formFields()).expect(403);
    await invited.on(meta).get('/tenant/new/?invitation=x.y').expect(410);
    expect(await waiting()).toBe(0);
    for (const [test, shown] of [
      [open, true],
      [invited, false],
    ] as const)
      for (const path of ['/', '/places'])
        expect((await test.on(meta).get(path).expect(200)).text.includes('href="/tenant/new/"')).toBe(shown);
  });

  it('opens for invited people, whose address is confirmed: the place is created at once, and once', async () => {
    const { url } = await invited.app.get(SignupInvitationsService).invite('Ana@Example.org', 'en');
    const link = linkIn(await mailTo(smtp, 'ana@example.org'));
    expect(url).toContain(link);
    const page = await invited.on(meta).get(link).expect(200);
    expect(page.text).toMatch(/value="ana@example\.org"[^>]* readonly/);
    const fields = formFields({ invitation: hiddenOf(page.text, 'invitation'), email: 'somebody-else@example.org' });
    await sendForm(invited, '/tenant/new/', { ...fields, terms: '' }).expect(400);
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(invited, '/tenant/new/', fields)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const { location } = answers[0]!.headers;
    // In the panel of the new place.
    const own = new URL((await invited.on(meta).get(location!).expect(303)).headers['location'] as string);
    const password = await invited.on(own.hostname).get(own.pathname).set('Accept-Language', 'en').expect(200);
    expect(password.text).toContain('Choose a password');
    const [tenant] = await open.database.query<{ slug: string; email: string }>(
      `select t.slug, u.email from shared.tenant t join shared.tenant_administrator a on a.tenant_id = t.id
         join shared.user_account u on u.id = a.user_id where t.name = $1`,
      [fields['name']],
    );
    expect(tenant?.email).toBe('ana@example.org');
    expect(await invited.app.get(TenantsService).bySlug(tenant!.slug)).toBeDefined();
    await invited.on(meta).get(link).expect(303).expect('Location', location!);
    expect(smtp.mails.some(({ to }) => to.includes('somebody-else@example.org'))).toBe(false);
    await expect(off.app.get(SignupInvitationsService).invite('ana@example.org')).rejects.toThrow('switched off');
    await expect(open.app.get(SignupInvitationsService).invite('nobody')).rejects.toThrow('e-mail address');
  });
});
