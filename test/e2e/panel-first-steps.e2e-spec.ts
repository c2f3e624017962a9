import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { PracticeTicketsService } from '#scan';
import { TenantDb, TenantsService, UsersService } from '#tenancy';
import { formFields, linkOf, sendForm } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { newEvent } from '../support/builders.js';
import { OrderForms } from '../support/order-forms.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { pairPhone, type PairedPhone } from '../support/team-codes.js';
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
    expect(titlesIn(first)).toEqual(['The house', 'How guests pay', 'Your first event', 'Try it']);
    expect(first).not.toContain('gt-welcome-done');
    const dashboard = async () => ((await panel.call('get', '/api/dashboard').expect(200)).body as { welcome: unknown }).welcome;
    expect(await dashboard()).toEqual({ done: 0, steps: 4, href: '/admin/welcome' });
    await newEvent(test, tenant);
    expect(await dashboard()).toEqual({ done: 1, steps: 4, href: '/admin/welcome' });
    expect((await page()).match(/gt-welcome-done/g)).toHaveLength(1);
    await panel.call('post', '/welcome').set('Sec-Fetch-Site', 'cross-site').expect(403);
    await panel.call('post', '/welcome').expect(303);
    expect(await dashboard()).toBeNull();
    // They stay where they were.
    expect(titlesIn(await page())).toHaveLength(4);

    const project = await stepsOf('A');
    expect(titlesIn(await project.page())).toEqual(['The house', 'Your first event', 'Offer a membership']);
    const old = await test.newTenant();
    await test.app.get(UsersService).grant((await test.app.get(UsersService).findByEmail(emailOf('S')))!.id, { tenantId: old.id });
    const oldPanel = new PanelClient(test, old);
    await oldPanel.signIn(emailOf('S'), password);
    await oldPanel.call('get', '/welcome').expect(200);
  });

  it('leads a stranger from the form to a ticket that is sold, and one that is scanned for practice', async () => {
    const fields = formFields({ language: 'en', show_email: '' });
    const link = await linkOf(test, smtp, fields);
    await sendForm(test, link, {}).expect(303);
    const own = new URL((await test.on('meta.localhost').get(link).expect(303)).headers['location'] as string);
    const tenant = (await test.app.get(TenantsService).bySlug(own.hostname.split('.')[0]!))!;
    const panel = new PanelClient(test, tenant);
    await panel.enter(own.pathname.replace('/admin', ''), { password: 'a long enough sentence' });
    const page = async (query = ''): Promise<string> =>
      (await panel.call('get', `/welcome${query}`).set('Accept-Language', 'en').expect(200)).text;
    const openStep = async (): Promise<string | undefined> => /id="(\w+)" open/.exec(await page())?.[1];

    expect(await openStep()).toBe('house');
    const house = {
      name: 'Le Verger',
      streetAddress: '8 chemin des Pommiers',
      postalCode: '56000',
      city: 'Vannes',
      accentColour: '#f0b400',
    };
    const refused = await panel
      .call('post', '/welcome/house')
      .send({ ...house, country: 'XX' })
      .expect(400);
    expect(refused.text).toContain('country-fault');
    const zoneOf = async () => (await test.app.get(TenantsService).bySlug(tenant.slug))!.timeZone;
    const several = await panel
      .call('post', '/welcome/house')
      .send({ ...house, country: 'PT' })
      .expect(400);
    expect(several.text).toContain('timeZone-fault');
    for (const [country, timeZone, zone] of [
      ['PT', 'Atlantic/Azores', 'Atlantic/Azores'],
      ['IE', '', 'Europe/Dublin'],
    ] as const) {
      await panel
        .call('post', '/welcome/house')
        .send({ ...house, country, timeZone })
        .expect(303);
      expect(await zoneOf()).toBe(zone);
    }
    await panel
      .call('post', '/welcome/house')
      .send({ ...house, country: 'FR' })
      .expect(303);
    const home = await test.on(tenant).get('/').expect(200);
    expect(home.text).toContain('Le Verger');
    expect(home.text).not.toContain(fields['email']);

    expect(await openStep()).toBe('payment');
    // Online payment is not set up before there is an account: the form for one opens, and the step stays.
    const online = await panel.call('post', '/welcome/payment').send({ way: 'online' }).expect(303);
    expect(online.headers['location']).toBe('/admin/resources/payment-account/actions/add?atVenue=true');
    expect(await openStep()).toBe('payment');
    await panel.call('post', '/welcome/payment').send({ way: 'free' }).expect(303);
    expect(await openStep()).toBe('event');
    const evening = {
      name: 'Nuit des chansons',
      day: '2040-05-21',
      begins: '20:00',
      capacity: '80',
      category: 'CON',
      published: 'true',
      price1: 'Full',
      amount1: '12',
    };
    const sent = (values: object) => panel.call('post', '/welcome/event').set('Accept-Language', 'en').send(values);
    const wrong = await sent({ ...evening, begins: '', amount1: 'much' }).expect(400);
    for (const text of ['id="event" open', 'first-begins-fault', 'first-amount1-fault', 'value="Nuit des chansons"'])
      expect(wrong.text).toContain(text);
    // Sent twice at once, it makes one event.
    expect((await Promise.all([sent(evening), sent(evening)])).map(({ status }) => status)).toEqual([303, 303]);
    expect((await panel.list('events')).records).toHaveLength(1);
    expect(await openStep()).toBe('practice');
    const shown = await page();
    for (const text of ['21 May 2040', '<p>Full €12</p>', 'href="/event/nuit-des-chansons', '/edit">More fields', 'Set up another event'])
      expect(shown).toContain(text);
    expect(shown).not.toContain('id="first-name"');

    // A price, but nothing is free: the record, the start page and the page of the event say why nobody can book it.
    const [event] = (await panel.list('events')).records!;
    const reason = async () => (await panel.look('events', event!.id)).record!.params['unbookable'] as string | null;
    const next = async () =>
      ((await panel.call('get', '/api/dashboard').expect(200)).body as { next: { unbookable?: { href: string } } }).next;
    const slug = String(event!.params['slug'] ?? (await panel.look('events', event!.id)).record!.params['slug']);
    const eventPage = async () => (await test.on(tenant).get(`/event/${slug}`).set('Accept-Language', 'en').expect(200)).text;
    expect(await reason()).toContain('cannot pay');
    expect((await next()).unbookable?.href).toBe('/admin/resources/profile/records/profile/shop');
    expect(await eventPage()).toContain('Sold at the venue');
    await panel.call('post', '/welcome/payment').send({ way: 'venue' }).expect(303);
    expect(await reason()).toBeFalsy();
    expect((await next()).unbookable).toBeUndefined();
    expect(await page()).toContain('Published, and can be booked.');

    const guest = new OrderForms(test, tenant);
    const [, priceId = ''] = /id="q-([0-9a-f-]{36})"/.exec(await eventPage()) ?? [];
    const order = await guest.begin(slug, priceId, '1');
    const completed = await guest.complete(order, { email: 'guest@example.org', payment: 'venue', first: 'Ada', last: 'Byron' });
    expect(completed.status).toBe(303);

    const bought = await panel.call('post', '/welcome/practice').expect(303);
    const query = /\?[^#]*/.exec(bought.headers['location'] as string)![0];
    const id = new URLSearchParams(query).get('practice')!;
    const counts = 'select (select count(*)::int from ticket) as tickets, (select count(*)::int from scan_log) as scans';
    const counted = () => test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query<object[]>(counts)));
    const before = await counted();
    expect(await page(query)).toContain('This page waits for your phone.');
    const { code, ticket } = (await test.inside(tenant, () => test.app.get(PracticeTicketsService).find(id)))!;
    const phone = (await pairPhone(test, tenant, code).expect(200)).body as PairedPhone;
    const scan = (text: string) =>
      test.on(tenant).post('/scan/practice/').set('Authorization', `Api-Key ${phone.api_key}`).send({ ticket: text });
    expect(await page(query)).toContain('Your phone is connected.');
    await scan(`${ticket}x`).expect(400);
    await scan(ticket.replace(id, event!.id)).expect(400);
    await scan('x'.repeat(201)).expect(400);
    await scan(ticket).expect(200);
    await scan(ticket).expect(200);
    const done = await page(query);
    expect(done).toContain('The ticket is valid: the scanner shows green.');
    expect(done.match(/gt-welcome-done/g)).toHaveLength(4);
    // Who has one device only checks another ticket without a camera.
    const another = new URL((await panel.call('post', '/welcome/practice').expect(303)).headers['location'] as string, 'http://panel');
    const second = another.searchParams.get('practice')!;
    expect(await page(another.search)).toContain('This page waits for your phone.');
    const checkHere = (practice: string) => panel.call('post', '/welcome/practice/here').type('form').send({ practice }).expect(303);
    expect((await checkHere('nothing')).headers['location']).not.toContain('?');
    await checkHere(second);
    expect(await page(another.search)).toContain('The ticket is valid: the scanner shows green.');
    expect(await counted()).toEqual(before);
    // Tomorrow it is gone.
    await test.inside(tenant, () =>
      test.app
        .get(TenantDb)
        .transaction((tx) => tx.query(`update team_code set expires_at = now() - interval '1 second' where id = $1`, [id])),
    );
    await scan(ticket).expect(400);
    expect(await page(query)).not.toContain('gt-welcome-codes');
  });
});

describe('the form of the first event', () => {
  it('tells who sends it that somebody else was faster, and makes a further event when it is sent again', async () => {
    const tenant = await test.newTenant();
    const panel = await staffOf(test, tenant);
    const evening = { day: '2040-05-21', begins: '20:00', capacity: '80', category: 'CON', published: 'true' };
    const sent = (values: object) =>
      panel
        .call('post', '/welcome/event')
        .set('Accept-Language', 'en')
        .send({ ...evening, ...values });
    const names = ['First reading', 'Second reading', 'Third reading'];
    const answers = await Promise.all(names.map((name) => sent({ name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
    const winner = names[answers.findIndex(({ status }) => status === 303)]!;
    const losers = names.filter((name) => name !== winner);
    for (const name of losers) {
      const { text } = answers[names.indexOf(name)]!;
      for (const shown of [`somebody in your team has set up “${winner}”`, `value="${name}"`, 'name="further" value="true"'])
        expect(text).toContain(shown);
    }
    expect((await panel.list('events')).records).toHaveLength(1);
    // Only who was told makes a further one.
    const faulty = await sent({ name: '' });
    expect(faulty.status).toBe(400);
    expect(faulty.text).not.toContain('name="further"');
    expect((await sent({ name: '', further: 'true' })).text).toContain('name="further" value="true"');
    const unkept = await panel
      .call('post', '/welcome/event')
      .set('Accept-Language', 'en')
      .field({ ...evening, name: losers[0]! })
      .attach('img', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 'poster.gif');
    for (const shown of ['name="further" value="true"', 'Choose this picture again']) expect(unkept.text).toContain(shown);
    // Twice at once, each makes one.
    const again = await Promise.all([...losers, ...losers].map((name) => sent({ name, further: 'true' })));
    expect(again.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect((await panel.list('events')).records).toHaveLength(3);
  });

  it('keeps what was typed, and opens the form with all fields, when these are asked for', async () => {
    const panel = await staffOf(test, await test.newTenant());
    const values = { name: 'Open rehearsal', day: '2040-05-21', begins: '20:00', capacity: '80', category: 'CON', published: 'more' };
    const sent = () => panel.call('post', '/welcome/event').send(values).expect(303);
    // The second one of a double click is answered like the first.
    const answers = await Promise.all([sent(), sent()]);
    const [event, ...others] = (await panel.list('events')).records!;
    expect(others).toEqual([]);
    const form = `/admin/resources/events/records/${event!.id}/edit`;
    expect(answers.map(({ headers }) => headers['location'])).toEqual([form, form]);
    expect((await panel.look('events', event!.id)).record!.params).toMatchObject({ name: 'Open rehearsal', published: false });
    const other = await panel.send('events', 'setUp', { ...values, name: 'Second rehearsal' });
    expect(other.redirectUrl).toMatch(/\/edit$/);
  });

  it('is not read for a place without events', async () => {
    const tenant = await test.newTenant({ category: 'M' });
    const panel = await staffOf(test, tenant);
    const { text } = await panel.call('get', '/welcome').set('Accept-Language', 'en').expect(200);
    expect(titlesIn(text)).toEqual(['The house']);
    await panel.call('post', '/welcome/event').send({ name: 'None' }).expect(303);
  });
});

const titlesIn = (html: string): string[] => [...html.matchAll(/<h2>([^<]+)<\/h2><small>/g)].map(([, title]) => title!);
