import { MailSenderService } from '#notices';
import { PlaceProfileService } from '#places';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { recordFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let other: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'Théâtre du Port', language: 'en' });
  other = await test.newTenant({ name: 'Le Verger', language: 'en' });
  staff = await staffOf(test, venue);
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const look = { accentColour: '#1d4e89', typeface: 'atelier', corners: 'round' };
const save = (values: object) => staff.act('profile', 'profile', 'look', values);
const preview = (query: object = look, of = staff) => of.call('get', '/look/preview').query(query).set('Accept-Language', 'en');
const home = async (of = venue): Promise<string> => (await test.on(of).get('/').expect(200)).text;
const htmlOf = (page: string): string => /<html[^>]*>/.exec(page)![0];

describe('the look of the pages', () => {
  it('is the usual one at first, and changes on the pages when it is saved', async () => {
    expect(htmlOf(await home())).toContain('data-type="programme" data-corners="square"');
    const { view } = await staff.look('profile', 'profile', 'look');
    expect(view).toMatchObject({ fields: { accentColour: { value: '' }, typeface: { value: 'programme' }, corners: { value: 'square' } } });
    expect((await save({ ...look, accentColour: ' 1D4E89' })).notice).toMatchObject({ type: 'success' });
    const page = await home();
    expect(htmlOf(page)).toContain('data-type="atelier" data-corners="round"');
    expect(page).toContain('theme-1.1d4e89.css');
    const { text: missing } = await test.on(venue).get('/nothing').set('Accept', 'text/html').expect(404);
    expect(htmlOf(missing)).toContain('data-type="atelier" data-corners="round"');
    expect(missing).toContain('theme-1.1d4e89.css');
    const { params } = (await staff.look('profile', 'profile')).record!;
    expect(params).toMatchObject(look);
    expect(htmlOf(await home(other))).toContain('data-type="programme" data-corners="square"');
    await save({ accentColour: '' });
    expect(await home()).toContain('theme-1.6b2d5c.css');
  });

  it('keeps what is wrong beside its field, and stores nothing of it', async () => {
    const wrong = await save({ accentColour: 'blue', typeface: 'comic', corners: '' });
    expect(recordFaults(wrong)).toEqual({
      accentColour: expect.stringContaining('#6b2d5c'),
      typeface: 'Choose one of these: maison, programme, affiche, atelier.',
      corners: 'Choose one of these: square, round.',
    });
    for (const typeface of [null, 7, ['atelier'], 'constructor'])
      expect(Object.keys(recordFaults(await save({ typeface })))).toEqual(['typeface']);
    expect((await staff.look('profile', 'profile')).record!.params).toMatchObject({ typeface: 'atelier', corners: 'round' });
    await expect(test.inside(venue, () => test.app.get(PlaceProfileService).change({ corners: 'oval' as 'round' }))).rejects.toThrow();
  });
});

describe('the preview of a look', () => {
  it('is the real page in the chosen look, which nobody else sees', async () => {
    await newEvent(test, venue, { name: 'Harbour Night' });
    const { text, headers } = await preview({ accentColour: '#f0b400', typeface: 'affiche', corners: 'square' }).expect(200);
    expect(htmlOf(text)).toContain('data-type="affiche" data-corners="square"');
    expect(text).toContain('theme-1.f0b400.css');
    for (const part of ['Théâtre du Port', 'Harbour Night', '<base target="_blank">']) expect(text).toContain(part);
    expect(headers['cache-control']).toBe('no-store');
    for (const rule of ["frame-ancestors 'self'", 'sandbox allow-same-origin', "form-action 'none'"])
      expect(headers['content-security-policy']).toContain(rule);
    expect(headers['content-security-policy']).not.toContain('script-src');
    // What is kept for everybody was not made for the panel.
    const page = await home();
    expect(htmlOf(page)).toContain('data-type="atelier" data-corners="round"');
    for (const part of ['theme-1.f0b400.css', '/admin', '<base']) expect(page).not.toContain(part);
  });

  it('shows the page of the next event, and the home page without one', async () => {
    const { view } = await staff.look('profile', 'profile', 'look');
    expect(view).toMatchObject({ hasEvent: true });
    const { text } = await preview({ ...look, page: 'event' }).expect(200);
    expect(text).toMatch(/<h1[^>]*>Harbour Night/);
    expect(text).toContain('theme-1.1d4e89.css');
    const theirs = await staffOf(test, other);
    expect((await theirs.look('profile', 'profile', 'look')).view).toMatchObject({ hasEvent: false });
    const without = await preview({ ...look, page: 'event' }, theirs).expect(200);
    expect(without.text).toContain('Le Verger');
    expect(without.text).not.toContain('Harbour');
  });

  it('shows the agenda of a network, which has no page of an event', async () => {
    const network = await test.newTenant({ name: 'Agenda of the Coast', category: 'M', language: 'en' });
    const theirs = await staffOf(test, network);
    expect((await theirs.look('profile', 'profile', 'look')).view).toMatchObject({ hasEvent: false });
    const { text } = await preview({ ...look, page: 'event' }, theirs).expect(200);
    expect(htmlOf(text)).toContain('data-type="atelier" data-corners="round"');
    expect(text).toContain('Agenda of the Coast');
  });

  it('says what is wrong with a look, and takes the usual look for what is not said', async () => {
    for (const wrong of [{ accentColour: '"><script>' }, { typeface: '"x' }, { corners: 'oval' }]) {
      const { text, type } = await preview({ ...look, ...wrong }).expect(422);
      expect([type, text.includes('<')]).toEqual(['text/plain', false]);
    }
    const { text } = await preview({ typeface: ['a', 'b'] }).expect(200);
    expect(htmlOf(text)).toContain('data-type="programme" data-corners="square"');
  });

  it('is for the staff of the venue only', async () => {
    const stranger = await test.on(venue).get('/admin/look/preview').query(look);
    expect([stranger.status, stranger.headers['location']]).toEqual([302, expect.stringContaining('/admin/login')]);
    const elsewhere = await test.on(other).get('/admin/look/preview').query(look).set('Cookie', staff.cookie);
    expect([elsewhere.status, elsewhere.text.includes('Harbour')]).toEqual([302, false]);
    expect((await staff.call('post', '/look/preview').send(look)).status).toBe(404);
  });
});

describe('mails of the venue', () => {
  it('have its colour on their buttons, with letters that can be read on it', async () => {
    await save({ accentColour: '#f0b400' });
    const event = await newEvent(test, venue, { name: 'Quay Songs' });
    await test.database.query(`insert into "${venue.schemaName}".verified_email (email_key) values ('zoe@example.org')`);
    await book(test, venue, event, { email: 'zoe@example.org', confirmed: true, paymentMethod: 'cash', language: 'en', firstName: 'Zoë' });
    const mails = (await test.database.query(`select id from "${venue.schemaName}".mail where status = 'waiting'`)) as { id: string }[];
    for (const { id } of mails) await test.inside(venue, () => test.app.get(MailSenderService).send(id, { isLast: true }));
    const html = String(post.mails.at(-1)!.parsed.html);
    expect(html).toContain('background-color:#f0b400');
    expect(html).not.toContain('#6b2d5c');
    const [, ink] = /class="accent"[^>]*style="[^"]*;color:(#[\da-f]{6})/.exec(html)!;
    expect(ink).not.toBe('#ffffff');
  });
});
