import { MailSenderService, mailTextKinds, MailTextsService } from '#notices';
import { languages } from '#kernel';
import { accountMessage } from '#messages';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { pageFaults, type PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'The Tin Heron' });
  staff = await staffOf(test, venue);
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const texts = { subject: '', intro: '', closing: '', signature: '' };
const save = (kind: string, language: string, more: Partial<typeof texts> & { send?: boolean }) =>
  staff.send('mails', 'mailTexts', { kind, language, ...texts, ...more });
const preview = (fields: object) => staff.call('post', '/mail-texts/preview').send({ language: 'en', ...texts, ...fields });
const sql = <Row>(text: string, values: unknown[] = [], of = venue): Promise<Row[]> =>
  test.database.query(text.replaceAll('{tenant}', `"${of.schemaName}"`), values) as Promise<Row[]>;

/** Sends the waiting mails, as the worker does. @returns the last mail */
async function deliver(of = venue) {
  const mails = await sql<{ id: string }>(`select id from {tenant}.mail where status = 'waiting' order by created_at`, [], of);
  for (const { id } of mails) await test.inside(of, () => test.app.get(MailSenderService).send(id, { isLast: true }));
  return post.mails.at(-1)!.parsed;
}

/** Books at the venue with an address that is confirmed. @returns the mail with the tickets */
async function ticketsMail(language: 'en' | 'fr', of = venue, email = 'zoe@example.org') {
  const event = await newEvent(test, of, { name: 'Trio & Friends' });
  await sql(`insert into {tenant}.verified_email (email_key) values ('zoe@example.org') on conflict do nothing`, [], of);
  await book(test, of, event, { email, confirmed: true, paymentMethod: 'cash', language, firstName: 'Zoë' });
  return deliver(of);
}

describe('texts that staff add to mails', () => {
  it('are in the mails of their kind and language, escaped, with their line breaks, values and links', async () => {
    const own = {
      subject: '{first_name}, your evening: {event}',
      intro: 'Chère {first_name},\nrendez-vous le {date}.\n<b>Vestiaire</b> : https://tin-heron.example/vestiaire?a=1&b=2.',
      closing: 'À bientôt à {venue} !',
    };
    expect((await save('tickets', 'fr', own)).notice).toMatchObject({ type: 'success' });
    await save('signature', 'fr', { signature: 'L’équipe\n{venue}' });
    const mail = await ticketsMail('fr');
    expect(mail.subject).toBe('Zoë, your evening: Trio & Friends');
    expect(mail.text).toMatch(/Bonjour Zoë,\s+Chère Zoë,\nrendez-vous le [^\n]*\d{4}[^\n]*\.\n<b>Vestiaire<\/b> : https:\/\//);
    expect(mail.text).toMatch(/À bientôt à The Tin Heron !\s+L’équipe\nThe Tin Heron\n/);
    expect(mail.html).toContain('<br/>&lt;b>Vestiaire&lt;/b> : <a class="link" href="https://tin-heron.example/vestiaire?a=1&amp;b=2"');
    expect(mail.html).toContain('L’équipe<br/>The Tin Heron');
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
    const english = await ticketsMail('en');
    expect(english.subject).toBe('Your ticket: Trio & Friends');
    expect(`${english.text}${english.html}`).not.toMatch(/bientôt|équipe/);
  });

  it('have no names from bookings while the address is not confirmed', async () => {
    await save('tickets', 'fr', { subject: '{first_name}', intro: 'Chère {first_name},' });
    const mail = await ticketsMail('fr', venue, 'stranger@example.org');
    expect([mail.to?.[0]?.name, `${mail.subject}${mail.text}${mail.html}`.includes('Zoë')]).toEqual(['', false]);
    expect(mail.text).toMatch(/Bonjour,\s+Chère,\n/);
    await save('tickets', 'fr', texts);
  });

  it('end with the signature also in the mail with the link to an account, which has no other texts', () => {
    const facts = { language: 'en', tenant: { name: 'Heron', url: '', timeZone: 'UTC', email: null, sender: '' } } as const;
    const own = { signature: 'See you,\n{venue}' };
    const { subject, text } = accountMessage({ ...facts, own, email: 'a@example.org', minutes: 15, url: 'https://a.example/x' });
    expect([subject, text.includes('See you,\nHeron')]).toEqual(['The link to your bookings: Heron', true]);
  });

  it('belong to one venue, and are removed with an empty text', async () => {
    await save('tickets', 'fr', { intro: 'Un mot de nous' });
    const other = await test.newTenant({ name: 'Other' });
    expect((await ticketsMail('fr', other)).text).not.toContain('Un mot de nous');
    expect((await ticketsMail('fr')).text).toContain('Un mot de nous');
    await save('tickets', 'fr', { intro: '  \n ' });
    await save('signature', 'fr', {});
    const mail = await ticketsMail('fr');
    expect([mail.subject?.replace(/\s/g, ' '), mail.text?.includes('Un mot de nous')]).toEqual(['Votre billet : Trio & Friends', false]);
    expect(await sql('select * from {tenant}.mail_text')).toEqual([]);
  });

  it.each([
    ['tickets', 'intro', 'Bring your {passport}', '{passport} is not known here. These are: {first_name},'],
    ['waiting-list', 'closing', 'Dear {first_name}', '{first_name} is not known here. These are: {event}, {date}, {venue}.'],
    ['signature', 'signature', '{event}', '{event} is not known here. These are: {venue}.'],
    ['tickets', 'subject', 'x'.repeat(151), '150'],
    ['tickets', 'closing', 'x'.repeat(2001), '2000'],
    ['tickets', 'subject', 'two\nlines', 'on one line'],
    ['tickets', 'intro', 'bell\u0007', 'control characters'],
  ])('are refused beside their field: %s, %s', async (kind, part, text, reason) => {
    expect(pageFaults(await save(kind, 'en', { [part]: text }))[part]).toContain(reason);
    const refused = await preview({ kind, [part]: text }).expect(422);
    expect(refused.body.errors[part]).toContain(reason);
    expect(await sql('select * from {tenant}.mail_text')).toEqual([]);
  });

  it('are listed with the languages that have them', async () => {
    await save('event-cancelled', 'de', { intro: 'Es tut uns leid.' });
    await save('event-cancelled', 'en', { closing: 'Sorry.' });
    const { view } = await staff.page('mails', 'mailTexts');
    const { groups } = view as { groups: { group: string; kinds: { kind: string; label: string; languages: string[] }[] }[] };
    expect(groups.map(({ group }) => group)).toEqual(['all', 'booking', 'waiting', 'membership']);
    const kinds = groups.flatMap((group) => group.kinds);
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['signature', ...Object.keys(mailTextKinds)].toSorted());
    expect(kinds.filter((kind) => kind.languages.length > 0)).toEqual([
      { kind: 'event-cancelled', label: 'Event cancelled', languages: ['de', 'en'] },
    ]);
    const form = await staff.page('mails', 'mailTexts', { kind: 'event-cancelled', texts: 'de' });
    expect(form.view).toMatchObject({
      language: 'de',
      subject: 'Abgesagt: Jazz im Hof',
      fields: [{ part: 'subject', text: '' }, { part: 'intro', text: 'Es tut uns leid.', longest: 2000 }, { part: 'closing' }],
    });
    expect((await staff.page('mails', 'mailTexts', { kind: 'no-kind' })).view).toHaveProperty('groups');
  });
});

describe('the preview of a mail', () => {
  it.each(Object.keys(mailTextKinds))('of the kind %s has the typed texts in every language, and stores nothing', async (kind) => {
    for (const language of languages) {
      const fields = { kind, language, subject: 'Mine: {venue}', intro: 'First {date}', closing: 'Last word' };
      const { body } = await preview(fields).expect(200);
      expect(body.subject).toBe('Mine: The Tin Heron');
      expect(body.text).toMatch(/First .*\d{4}[\s\S]*Last word/);
      const frame = await preview({ ...fields, part: 'html' }).expect(200);
      expect(frame.text).toContain(`<html lang="${language}"`);
      expect(frame.text).not.toContain('cid:');
      const plain = await preview({ kind, language }).expect(200);
      expect(plain.body.text).not.toMatch(/First|Last word|undefined|\{/);
    }
    expect(await sql(`select * from {tenant}.mail_text where text like '%Last word%'`)).toEqual([]);
  });

  it('is a document without scripts that only the panel frames', async () => {
    const { headers, text } = await preview({ kind: 'membership', part: 'html' }).expect(200);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " +
        'sandbox allow-popups allow-popups-to-escape-sandbox',
    );
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('src="data:image/png;base64,');
    const page = await staff.call('get', '/resources/mails/actions/mailTexts').expect(200);
    expect(page.headers['content-security-policy']).toContain("frame-src 'self'");
  });

  it('is refused without sign-in, from other sites, and for unknown kinds', async () => {
    const stranger = test.on(venue).post('/admin/mail-texts/preview');
    expect((await stranger.set('Sec-Fetch-Site', 'same-origin').send({ kind: 'tickets' })).status).toBe(302);
    expect((await preview({ kind: 'tickets' }).set('Sec-Fetch-Site', 'cross-site')).status).toBe(403);
    for (const kind of ['test', 'constructor', 7, null, ['tickets']]) expect((await preview({ kind })).status).toBe(404);
  });

  it('is the mail that is sent: test and preview have the same text', async () => {
    const fields = { kind: 'membership-reminder', language: 'es', intro: 'Hola {first_name}', closing: 'Gracias' };
    const { body } = await preview(fields).expect(200);
    await save('membership-reminder', 'es', { intro: fields.intro, closing: fields.closing, send: true });
    const mail = await deliver();
    expect(mail.text?.trim()).toBe((body as { text: string }).text.trim());
    expect(mail.subject).toBe(`Prueba: ${(body as { subject: string }).subject}`);
  });
});

describe('a test mail', () => {
  it('goes to the address of the person who asks for it, ten times an hour', async () => {
    await sql(`delete from {tenant}.mail where kind = 'test'`);
    const { view } = await staff.page('mails', 'mailTexts', { kind: 'tickets' });
    const answers = [];
    for (let number = 0; number < 11; number += 1) answers.push(await save('tickets', 'en', { intro: 'Hi {first_name}', send: true }));
    expect(answers.map(({ notice }) => notice?.type)).toEqual([...Array.from({ length: 10 }, () => 'success'), 'error']);
    expect(answers[10]!.notice!.message).toContain('ten tests');
    const mail = await deliver();
    expect(post.mails.at(-1)!.to).toEqual([view!['to']]);
    expect(mail.subject).toBe('Test: Your tickets: Jazz in the courtyard');
    expect(mail.text).toContain('Hi Camille');
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
    const [sent] = (await staff.list('mails', { 'filters.kind': 'test' })).records!;
    const { record } = await staff.look('mails', sent!.id);
    expect(record!.params).toMatchObject({ note: null, example: 'tickets', exampleLanguage: 'en' });
  });

  // Without the advisory lock, all of them count the same rows and are sent.
  it('is not sent more often by requests at the same time', async () => {
    const ask = () => test.inside(venue, () => test.app.get(MailTextsService).sendTest('tickets', 'en', 'crowd@example.org'));
    const asked = await Promise.all(Array.from({ length: 16 }, ask));
    expect(asked.filter(Boolean)).toHaveLength(10);
    expect(await sql(`select count(*)::int as count from {tenant}.mail where recipient = 'crowd@example.org'`)).toEqual([{ count: 10 }]);
  });
});
