import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { TenantsService, UsersService } from '#tenancy';
import { formFields, linkOf, sendForm } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let smtp: SmtpSink;

beforeAll(async () => {
  smtp = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: smtp.url, RATE_TENANT_FORM: 'off' } });
  test.app.get(JobRunner).start();
});
afterAll(async () => {
  await test?.close();
  await smtp?.close();
});

describe('a place that was created with the form', () => {
  it('shows the first steps of its category to the administrator until they are closed', async () => {
    const password = 'the password of before';
    const emailOf = (category: string): string => `first-steps-${category}@example.org`.toLowerCase();
    const stepsOf = async (category: string) => {
      const email = emailOf(category);
      await test.app.get(UsersService).create({ email, password });
      const fields = formFields({ email, category });
      await sendForm(test, await linkOf(test, smtp, fields), {}).expect(303);
      const [row] = await test.database.query<{ slug: string }>('select slug from shared.tenant where name = $1', [fields['name']]);
      const tenant = (await test.app.get(TenantsService).bySlug(row!.slug))!;
      const panel = new PanelClient(test, tenant);
      expect((await panel.call('get', '/welcome')).headers['location']).toBe('/admin/login?next=%2Fadmin%2Fwelcome');
      await panel.signIn(email, password);
      const page = async () => (await panel.call('get', '/welcome').set('Accept-Language', 'en').expect(200)).text;
      return { tenant, panel, page };
    };
    const { tenant, panel, page } = await stepsOf('S');
    const first = await page();
    expect([...first.matchAll(/<h2><a href="[^"]+">([^<]+)/g)].map(([, title]) => title)).toEqual([
      'Complete the profile',
      'Publish the first event',
      'Pair a scanning device',
    ]);
    expect(first).not.toContain('gt-step-done');
    const dashboard = async () => ((await panel.call('get', '/api/dashboard').expect(200)).body as { welcome: unknown }).welcome;
    expect(await dashboard()).toEqual({ done: 0, steps: 3, href: '/admin/welcome' });
    await newEvent(test, tenant);
    expect(await dashboard()).toEqual({ done: 1, steps: 3, href: '/admin/welcome' });
    expect((await page()).match(/gt-step-done/g)).toHaveLength(1);
    await panel.call('post', '/welcome').set('Sec-Fetch-Site', 'cross-site').expect(403);
    await panel.call('post', '/welcome').expect(303);
    expect(await dashboard()).toBeNull();
    await panel.call('get', '/welcome').expect(302);

    const project = await stepsOf('A');
    expect(await project.page()).toContain('Offer a membership');
    const old = await test.newTenant();
    await test.app.get(UsersService).grant((await test.app.get(UsersService).findByEmail(emailOf('S')))!.id, { tenantId: old.id });
    const oldPanel = new PanelClient(test, old);
    await oldPanel.signIn(emailOf('S'), password);
    await oldPanel.call('get', '/welcome').expect(302).expect('Location', '/admin');
  });
});
