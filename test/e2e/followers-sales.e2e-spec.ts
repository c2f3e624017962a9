import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { EventCancellationsService } from '#tickets';
import { crowd } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { FollowedVenue } from '../support/followed-venue.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let sink: SmtpSink;
let venue: FollowedVenue;

beforeAll(async () => {
  sink = await openSmtpSink();
  test = await startTestApp({ environment: { RATE_PAGES: '100000/min', SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' } });
  venue = new FollowedVenue(test, await test.newTenant({ language: 'en' }), sink);
});
afterAll(async () => {
  await test.close();
  await sink.close();
});

interface Coming {
  readonly id: string;
  readonly slug: string;
}

/** An event whose prices are sold from tomorrow on. */
async function coming(): Promise<Coming> {
  const { id, slug } = await newEvent(test, venue.tenant, { startsAt: new Date(Date.now() + 3 * 86_400_000) });
  await opening({ id }, '1 day');
  return { id, slug };
}

/** Moves the opening of the sale. */
const opening = ({ id }: Pick<Coming, 'id'>, from: string): Promise<unknown> =>
  venue.sql(
    `update price set sales_from = now() + $2::interval
     where product_id in (select product_id from event_product where event_id = $1)`,
    [id, from],
  );

const tell = (event: Coming, email: string) => venue.forms.post(`/event/${event.slug}/tell`, [['email', email]]);
/** What the job answers: done, or the seconds after which it looks again. */
const look = (event: Coming): Promise<number | undefined> =>
  venue.job('sales-opening', event.id).then(
    () => undefined,
    (error: { seconds: number }) => error.seconds,
  );

/** Asks with the form and the link, and forgets the mail about it. */
async function wait(event: Coming, email: string): Promise<string> {
  await tell(event, email);
  const path = await venue.confirm(email);
  await venue.deliver();
  return path;
}

describe('the form about the sale of an event', () => {
  it('is on the page of an event whose sale has a known start, and mails one link', async () => {
    const event = await coming();
    const page = await venue.forms.get(`/event/${event.slug}`);
    expect(page.text).toContain(`action="/event/${event.slug}/tell"`);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const first = await tell(event, 'ada@example.org');
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('We have sent a link to ada@example.org')]);
    const [mail, ...others] = await venue.deliver();
    expect([mail!.parsed.subject?.startsWith('Please confirm: tell me when sales open'), others]).toEqual([true, []]);
    const path = await venue.confirm('ada@example.org');
    expect(mail!.parsed.text).toContain(path);
    expect((await venue.forms.get(path)).text).toContain('We tell you when sales open');
    expect((await tell(event, 'ada@example.org')).text).toBe(first.text);
    expect(await venue.deliver()).toEqual([]);
    expect((await tell(event, 'nobody')).status).toBe(422);
    // Not mails about new dates.
    await venue.mailing('10');
    expect(await venue.deliver()).toEqual([]);
    await opening(event, '-1 minute');
    expect((await venue.forms.get(`/event/${event.slug}`)).text).not.toContain('/tell"');
    expect((await tell(event, 'bob@example.org')).headers['location']).toBe(`/event/${event.slug}`);
  });
});

describe('the mail about the sale', () => {
  it('is sent once, at the opening, also after it moved', async () => {
    const event = await coming();
    await wait(event, 'ada2@example.org');
    await tell(event, 'unconfirmed@example.org');
    await venue.sql(`delete from mail where kind = 'follow-confirm'`);
    expect(await look(event)).toBe(300);
    await opening(event, '20 seconds');
    expect(await look(event)).toBeLessThanOrEqual(20);
    await opening(event, '1 hour');
    expect(await look(event)).toBe(300);
    await opening(event, '-1 second');
    await Promise.all(crowd(4, () => look(event)));
    const [mail, ...others] = await venue.deliver();
    expect([mail!.to, others]).toEqual([['ada2@example.org'], []]);
    expect(mail!.parsed.subject).toMatch(/^On sale now: /);
    expect(mail!.parsed.text).toContain(`/event/${event.slug}`);
    expect(mail!.parsed.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click');
    await look(event);
    expect(await venue.deliver()).toEqual([]);
  });

  it('is not sent while the event is cancelled or unpublished, and forgotten when it begins', async () => {
    const event = await coming();
    await wait(event, 'ada3@example.org');
    await venue.inside(() => test.app.get(EventsService).update(event.id, { published: false }));
    await opening(event, '-1 second');
    expect(await look(event)).toBe(300);
    expect(await venue.deliver()).toEqual([]);
    await venue.inside(() => test.app.get(EventsService).update(event.id, { published: true }));
    expect(await look(event)).toBeUndefined();
    // Cancelled after the mail was written and before it is sent.
    await venue.inside(() => test.app.get(EventCancellationsService).cancel(event.id));
    expect(await venue.deliver()).toEqual([]);
    const late = await coming();
    await wait(late, 'ada4@example.org');
    await venue.sql(`update event set starts_at = now() - interval '1 minute' where id = $1`, [late.id]);
    expect(await look(late)).toBeUndefined();
    expect(await venue.idOf('ada4@example.org')).toBe('');
  });

  it('is not sent to who left', async () => {
    const event = await coming();
    const path = await wait(event, 'ada5@example.org');
    await venue.forms.post(path, []);
    await opening(event, '-1 second');
    await look(event);
    expect(await venue.deliver()).toEqual([]);
  });
});
