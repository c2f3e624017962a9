import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { EventCancellationsService, HolderLinks, ReservationChangesService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { JobRunner } from '#jobs';
import { type TenantIdentity } from '#tenancy';
import { oneEvent } from '../support/box-office.js';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { staffOf } from '../support/panel-staff.js';
import { eventually } from '../support/eventually.js';
import { newKey } from '../support/webhooks.js';
import { readPdf } from '../support/read-pdf.js';
import { openSmtpSink, type SmtpSink, type TakenMail } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let tenant: TenantIdentity;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  tenant = await test.newTenant();
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);

/** The first mail to an address. */
async function mailTo(email: string, is: (mail: TakenMail) => boolean = () => true): Promise<TakenMail> {
  for (const end = Date.now() + 30_000; ;) {
    const mail = post.mails.find((one) => one.to.includes(email) && is(one));
    if (mail) return mail;
    if (Date.now() > end) throw new Error(`No mail to ${email}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function attachment({ parsed }: TakenMail, mimeType: string): Buffer {
  const found = parsed.attachments.find((one) => one.mimeType === mimeType);
  if (!found) throw new Error(`No ${mimeType}`);
  return Buffer.from(found.content as ArrayBuffer);
}

describe('the PDF of a mail', () => {
  it('is tagged, in the language of the buyer, and has glyphs for each name', async () => {
    const event = await newEvent(test, tenant, { name: `秋のコンサート ${randomUUID().slice(0, 8)}` });
    const email = `${randomUUID()}@example.org`;
    const holders = [
      { firstName: '小明', lastName: '王' },
      { firstName: 'مريم', lastName: 'العلي' },
    ];
    const tickets = [{ priceId: event.priceId, quantity: 2, holders }];
    await book(test, tenant, event, { email, language: 'en', tickets, confirmed: true });
    const { isTagged, language, pages } = await readPdf(attachment(await mailTo(email), 'application/pdf'));
    expect([isTagged, language, pages.length]).toEqual([true, 'en', 2]);
    expect(pages[0]!.find(({ role }) => role === 'H1')?.text).toBe(event.name);
    expect(pages[0]!.map(({ text }) => text)).toContain('小明 王');
    expect(pages[1]!.map(({ alt }) => alt)).toEqual(expect.arrayContaining(['مريم العلي', 'QR code of ticket 2 of 2']));
  });

  it('exists for membership cards, too; the holder page offers it while the membership is valid', async () => {
    const product = await inside(() => test.app.get(ProductsService).create({ name: `Friends ${randomUUID()}`, category: 'A' }));
    const { id: priceId } = await inside(() => test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0' }));
    const email = `${randomUUID()}@example.org`;
    const { id } = await inside(() => test.app.get(MembershipsService).create({ priceId, email, firstName: '김철수' }));
    const mailed = await readPdf(attachment(await mailTo(email), 'application/pdf'));
    expect([mailed.isTagged, mailed.pages.length]).toEqual([true, 1]);

    const page = await inside(() => Promise.resolve(test.app.get(HolderLinks).pathTo({ membershipId: id })));
    const { text } = await test.on(tenant).get(page).set('Accept-Language', 'en').expect(200);
    expect(text).toContain(`${page}/card.pdf`);
    expect(text).toContain('<p>Valid without an end date</p>');
    const { body, headers } = await test.on(tenant).get(`${page}/card.pdf`).expect(200).expect('Content-Type', 'application/pdf');
    expect(headers['cache-control']).toBe('no-store');
    expect((await readPdf(body as Buffer)).pages[0]!.map((line) => line.text)).toContain('김철수');

    await inside(() => test.app.get(MembershipsService).cancel(id));
    await test.on(tenant).get(`${page}/card.pdf`).expect(404);
  });
});

describe('the sender of a mail', () => {
  it('is the venue with the address from the panel, which replies and calendars use', async () => {
    const staff = await staffOf(test, tenant);
    const event = await newEvent(test, tenant);
    const before = `${randomUUID()}@example.org`;
    await book(test, tenant, event, { email: before, confirmed: true });
    const silent = await mailTo(before);
    expect(silent.parsed.replyTo).toBeUndefined();
    expect(calendarOf(silent)['ORGANIZER']).toBe('mailto:no-reply@localhost');

    expect((await staff.list('profile')).records).toMatchObject([{ params: { name: tenant.name, email: null } }]);
    const wrong = await staff.act('profile', 'profile', 'edit', { email: 'nobody' });
    expect(Object.keys(wrong.record?.errors ?? {})).toEqual(['email']);
    expect((await staff.act('profile', 'profile', 'edit', { email: ' box@venue.example ' })).notice?.type).toBe('success');
    // Mails in a row share what the venue is for a second.
    await pass(1000);
    const after = `${randomUUID()}@example.org`;
    await book(test, tenant, event, { email: after, confirmed: true });
    const mail = await mailTo(after);
    expect(mail.parsed.replyTo).toMatchObject([{ address: 'box@venue.example' }]);
    expect(mail.from).toBe('no-reply@localhost');
    expect(calendarOf(mail)['ORGANIZER']).toBe('mailto:box@venue.example');
    expect((await test.on(tenant).get('/').expect(200)).text).toContain('mailto:box@venue.example');
    // An invalid address in the database does not prevent mails.
    await test.database.query(`update "${tenant.schemaName}".configuration set email = 'a@b c\r\nBcc: x@example.org'`);
    await pass(1000);
    const unfit = `${randomUUID()}@example.org`;
    await book(test, tenant, event, { email: unfit, confirmed: true });
    expect((await mailTo(unfit)).parsed.replyTo).toBeUndefined();
    await staff.act('profile', 'profile', 'edit', { email: '' });
    expect((await staff.list('profile')).records).toMatchObject([{ params: { email: null } }]);
  });
});

describe('the language of a mail', () => {
  it('is that of the body, else that of the request, else that of the venue', async () => {
    const french = await test.newTenant({ language: 'fr' });
    const event = await newEvent(test, french);
    const authorization = await newKey(test, french, 'reservation:read', 'reservation:write');
    const send = async (inLanguage: string | undefined, accepted: string | undefined) => {
      const email = `${randomUUID()}@example.org`;
      const call = test.on(french).post('/api/v2/reservations/').set('Authorization', authorization);
      if (accepted) call.set('Accept-Language', accepted);
      const reservedTicket = [{ identifier: event.priceId }];
      const underName = { email };
      const { body } = await call.send({ reservationFor: event.id, underName, reservedTicket, inLanguage, confirmed: true }).expect(201);
      return [(body as { inLanguage: string }).inLanguage, (await mailTo(email)).parsed.subject?.split(/\s*:/)[0]];
    };
    expect(await send(undefined, undefined)).toEqual(['fr', 'Votre billet']);
    expect(await send(undefined, 'en-GB,en;q=0.9')).toEqual(['en', 'Your ticket']);
    expect(await send('fr-CA', 'en')).toEqual(['fr', 'Votre billet']);
    expect(await send('EN', 'fr')).toEqual(['en', 'Your ticket']);
    for (const inLanguage of ['it', '', 'english', 7, ['fr']]) {
      const wanted = { underName: { email: 'a@example.org' }, reservedTicket: [{ identifier: event.priceId }], inLanguage };
      const { body } = await test.on(french).post('/api/v2/reservations/').set('Authorization', authorization).send(wanted).expect(400);
      expect(body).toMatchObject({ code: 'body.invalid', errors: [{ pointer: '/inLanguage' }] });
    }
  });

  it('is that of a membership, and what the box office chooses', async () => {
    const authorization = await newKey(test, tenant, 'membership:read', 'membership:write');
    const product = await inside(() => test.app.get(ProductsService).create({ name: `Club ${randomUUID()}`, category: 'A' }));
    const { id } = await inside(() => test.app.get(PricesService).create({ productId: product.id, name: 'Year', amount: '0' }));
    const [member, enrolled, guest] = [0, 1, 2].map(() => `${randomUUID()}@example.org`) as [string, string, string];
    const { body } = await test
      .on(tenant)
      .post('/api/v2/memberships/')
      .set('Authorization', authorization)
      .send({ member: { email: member }, membershipPlan: id, inLanguage: 'fr' })
      .expect(201);
    expect(body).toMatchObject({ inLanguage: 'fr' });
    expect((await mailTo(member)).parsed.subject).toContain('Votre carte');
    const staff = await staffOf(test, tenant);
    await staff.send('memberships', 'enrol', {
      priceId: id,
      email: enrolled,
      paymentMethod: 'offered',
      language: 'fr',
    });
    expect((await mailTo(enrolled)).parsed.subject).toContain('Votre carte');
    const event = await newEvent(test, tenant);
    const tickets = [{ priceId: event.priceId, quantity: 1 }];
    const sale = oneEvent({ eventId: event.id, email: guest, paymentMethod: 'cash', tickets, language: 'fr' });
    await staff.send('reservations', 'sell', sale);
    const mail = await mailTo(guest);
    expect(mail.parsed.subject).toContain('Votre billet');
    expect((await readPdf(attachment(mail, 'application/pdf'))).language).toBe('fr');
  });
});

describe('the calendar of a mail', () => {
  it.each([
    ['the reservation', (id: string) => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' })],
    ['the event', (_id: string, eventId: string) => test.app.get(EventCancellationsService).cancel(eventId)],
  ])('takes the event out of the calendar again when %s is cancelled', async (_what, cancel) => {
    const event = await newEvent(test, tenant);
    const email = `${randomUUID()}@example.org`;
    const { id } = await book(test, tenant, event, { email, confirmed: true });
    const put = calendarOf(await mailTo(email));
    expect(put).toMatchObject({ METHOD: 'PUBLISH', UID: id, STATUS: 'CONFIRMED' });
    expectNow(put['DTSTAMP']);
    expect(put['LAST-MODIFIED']).toMatch(/^\d{8}T\d{6}Z$/);
    await inside(async () => void (await cancel(id, event.id)));
    const taken = calendarOf(await mailTo(email, ({ raw }) => raw.includes('method=CANCEL')));
    expect(taken).toMatchObject({ METHOD: 'CANCEL', UID: id, STATUS: 'CANCELLED', ORGANIZER: put['ORGANIZER'], DTSTART: put['DTSTART'] });
    expect(Number(taken['SEQUENCE'])).toBeGreaterThan(Number(put['SEQUENCE']));
    expectNow(taken['DTSTAMP']);
  });
});

describe('the guests of an event', () => {
  /** Mails to an address after the one with the tickets. */
  const later = (email: string): TakenMail[] => post.mails.filter((mail) => mail.to.includes(email)).slice(1);
  const subjects = (): unknown[] => post.mails.map(({ parsed }) => parsed.subject);
  const body = ({ parsed }: TakenMail): string => parsed.text!.replaceAll(/\s+/g, ' ');

  it('are told of a new time by staff or the API, with a new calendar entry and the way to return tickets, or not', async () => {
    const staff = await staffOf(test, tenant);
    const authorization = await newKey(test, tenant, 'event:read', 'event:write');
    const event = await newEvent(test, tenant, { startsAt: new Date('2041-07-01T18:30:00Z') });
    const [french, silent, between] = Array.from({ length: 3 }, () => `${randomUUID()}@example.org`) as [string, string, string];
    await book(test, tenant, event, { email: french, language: 'fr', confirmed: true });
    const cancelled = await book(test, tenant, event, { email: silent, confirmed: true });
    const first = await mailTo(french);
    await mailTo(silent);
    await inside(() => test.app.get(ReservationChangesService).cancel(cancelled.id, { reason: 'staff' }));
    const cancellation = await mailTo(silent, ({ parsed }) => parsed.subject!.startsWith('Booking cancelled'));
    expect((await staff.look('events', event.id)).record!.params).toMatchObject({ holders: 1 });

    const untold = await staff.act('events', event.id, 'edit', { startsAt: '2041-07-02T18:30:00.000Z' });
    expect(untold.notice).toMatchObject({ message: 'savedUntold', options: { count: 1 } });
    await book(test, tenant, event, { email: between, confirmed: true });
    await mailTo(between);
    const told = { tellHolders: true, holderNote: 'La scène est inondée.' };
    const { notice } = await staff.act('events', event.id, 'edit', { startsAt: '2041-07-08T18:30:00.000Z', ...told });
    expect(notice).toMatchObject({ message: 'savedTold', options: { count: 2 }, type: 'success' });
    // The name alone is no news.
    const named = await staff.act('events', event.id, 'edit', { subtitle: 'with guests', ...told });
    expect(named.notice).toMatchObject({ message: 'successfullyUpdated' });
    const mail = await mailTo(french, ({ parsed }) => parsed.subject!.startsWith('Nouvelle date'));
    for (const words of ['La scène est inondée.', 'Vos billets restent valables', 'jusqu’au']) expect(body(mail)).toContain(words);
    // The date that the guest was told of is named once, not the one between; tickets can be returned until the same day.
    expect(body(mail).match(/\b[12](?:er)? juillet 2041/g)).toEqual(['1er juillet 2041', '1er juillet 2041']);
    const news = await mailTo(between, ({ parsed }) => parsed.subject!.startsWith('New date'));
    expect(body(news)).toContain('2 July 2041');
    const [before, after] = [calendarOf(first), calendarOf(mail)];
    expect(after).toMatchObject({ UID: before['UID'], DTSTART: '20410708T183000Z' });
    expect(Number(after['SEQUENCE'])).toBeGreaterThan(Number(before['SEQUENCE']));

    const patch = (change: object) =>
      test.on(tenant).call('patch', `/api/v2/events/${event.id}/`).set('Authorization', authorization).send(change).expect(200);
    await patch({ startDate: '2041-07-09T18:30:00Z' });
    await patch({ name: `${event.name} II`, notifyHolders: true });
    const { body: answer } = await patch({ eventStatus: 'EventPostponed', notifyHolders: true, holderNote: 'Patience.' });
    expect(answer).toMatchObject({ eventStatus: 'https://schema.org/EventPostponed' });
    const postponed = await mailTo(french, ({ parsed }) => parsed.subject!.startsWith('Reporté'));
    expect(body(postponed)).toContain('la nouvelle date sera annoncée');
    expect(calendarOf(postponed)).toMatchObject({ STATUS: 'TENTATIVE' });
    expect(later(french)).toEqual([mail, postponed]);
    expect(later(silent)).toEqual([cancellation]);
  }, 90_000);

  it('get what staff write: by audience and price, once to each address, in their language, after a test mail', async () => {
    const staff = await staffOf(test, tenant);
    const event = await newEvent(test, tenant);
    const [french, german, waits] = Array.from({ length: 3 }, () => `${randomUUID()}@example.org`) as [string, string, string];
    for (const language of ['fr', 'fr'] as const) await book(test, tenant, event, { email: french, language, confirmed: true });
    await book(test, tenant, event, { email: german, language: 'de', confirmed: true });
    await test.database.query(
      `insert into "${tenant.schemaName}".waiting_entry (event_id, price_id, email, email_key, language, quantity, status, confirmed_at)
       values ($1, $2, $3, $3, 'fr', 1, 'waiting', now())`,
      [event.id, event.priceId, waits],
    );
    await Promise.all([mailTo(french), mailTo(german)]);
    const text = { subject_en: 'Doors at seven', words_en: 'Please come early.', subject_fr: 'Portes à 19 h', words_fr: 'Venez tôt.' };
    const empty = await staff.act('events', event.id, 'message', { audience: 'holders', mode: 'send', subject_en: 'x', confirmed: true });
    expect(Object.keys(empty.record!.errors)).toEqual(['words_en']);
    const tried = await staff.act('events', event.id, 'message', { audience: 'holders', mode: 'test', ...text, confirmed: true });
    expect(tried).toMatchObject({ view: { report: { title: 'Preview: 2 guests would get it' } } });
    await eventually(() => expect(subjects()).toContain('Test: Doors at seven'), { timeout: 30_000 });
    expect(subjects()).not.toContain('Doors at seven');

    await staff.act('events', event.id, 'message', { audience: 'expected', mode: 'send', ...text, confirmed: true });
    expect(body(await mailTo(german, ({ parsed }) => parsed.subject === 'Doors at seven'))).toContain('Please come early.');
    expect(body(await mailTo(french, ({ parsed }) => parsed.subject === 'Portes à 19 h'))).toContain('Venez tôt.');
    for (const audience of ['entered', 'waiting'])
      await staff.act('events', event.id, 'message', { audience, priceIds: [event.priceId], mode: 'send', ...text, confirmed: true });
    await mailTo(waits, ({ parsed }) => parsed.subject === 'Portes à 19 h');
    expect(subjects().filter((subject) => subject === 'Portes à 19 h')).toHaveLength(2);
    expect(JSON.stringify(await staff.look('events', event.id, 'message'))).toContain('1 / 1');
  }, 90_000);
});

/** The properties of the calendar file attached to a mail. */
function calendarOf(mail: TakenMail): Record<string, string> {
  const lines = attachment(mail, 'text/calendar')
    .toString()
    .replace(/\r?\n /g, '')
    .split(/\r?\n/);
  return Object.fromEntries(
    lines.flatMap((line) => [/^([A-Z-]+)[^:]*:(.*)$/.exec(line)?.slice(1) ?? []]).filter(({ length }) => length === 2),
  ) as Record<string, string>;
}

/** Expects a time within the last two minutes. */
function expectNow(stamp: string | undefined): void {
  const instant = (stamp ?? '').replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z');
  expect(Math.abs(Date.now() - Date.parse(instant))).toBeLessThan(120_000);
}
