import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventRemindersService } from '#notices';
import { ReservationChangesService, ReservationsService } from '#tickets';
import { book, crowd, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { FollowedVenue } from '../support/followed-venue.js';
import { giveTicket } from '../support/given-tickets.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let sink: SmtpSink;
let venue: FollowedVenue;

beforeAll(async () => {
  sink = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: sink.url, MAIL_FROM: 'tickets@example.org' } });
  venue = new FollowedVenue(test, await test.newTenant({ language: 'en', timeZone: 'Europe/Paris' }), sink);
});
afterAll(async () => {
  await test.close();
  await sink.close();
});

/** The evening of 10 July of a coming year in Paris. */
const startsAt = new Date('2099-07-10T20:00:00+02:00');
const clock = (time: string): Date => new Date(`${time}:00+02:00`);

interface Booked {
  readonly id: string;
  readonly priceId: string;
  /** Reservations, made two days ago. */
  readonly sales: readonly string[];
}

async function booked(count: number): Promise<Booked> {
  const { id } = await newEvent(test, venue.tenant, { capacity: 20, startsAt });
  const priceId = await newPrice(test, venue.tenant, id, { name: 'Entry', amount: '0.00' });
  const sales: string[] = [];
  for (let index = 0; index < count; index += 1) sales.push((await book(test, venue.tenant, { id, priceId }, { confirmed: true })).id);
  await venue.sql(`update reservation set created_at = now() - interval '2 days' where event_id = $1`, [id]);
  await venue.deliver();
  return { id, priceId, sales };
}

const switchOn = (isOn: boolean): Promise<unknown> => venue.sql('update configuration set remind_guests = $1', [isOn]);

/** Runs the hourly task at a time, and the steps of the notices that it begins. */
async function remind(time: string): Promise<void> {
  await venue.inside(() => test.app.get(EventRemindersService).remind(clock(time)));
  const open = await venue.sql<{ id: string }>('select id from event_notice where finished_at is null');
  for (const { id } of open) await venue.job('event-notice', id);
}

/** Reservations with a reminder. */
const reminded = async ({ id }: Booked): Promise<string[]> =>
  (
    await venue.sql<{ reservation: string }>(
      `select reservation_id as reservation from mail where kind = 'event-reminder'
         and reservation_id in (select reservation.id from reservation where event_id = $1) order by 1`,
      [id],
    )
  ).map(({ reservation }) => reservation);

describe('the reminder of the day before', () => {
  it('is off until staff switch it on', async () => {
    const event = await booked(1);
    await remind('2099-07-09T17:30');
    expect(await reminded(event)).toEqual([]);
  });

  it('is sent once for each reservation, at five in the afternoon', async () => {
    await switchOn(true);
    const event = await booked(3);
    await venue.inside(() => test.app.get(ReservationChangesService).cancel(event.sales[2]!, { reason: 'holder' }));
    const late = await book(test, venue.tenant, event, { confirmed: true });
    await venue.deliver();
    for (const time of ['2099-07-08T17:30', '2099-07-09T16:30', '2099-07-09T21:30', '2099-07-10T17:30']) await remind(time);
    expect(await reminded(event)).toEqual([]);
    await Promise.all(crowd(4, () => remind('2099-07-09T17:30')));
    await remind('2099-07-09T18:30');
    expect(await reminded(event)).toEqual(event.sales.slice(0, 2).toSorted());
    expect(late.id).not.toBe('');
    const mails = await venue.deliver();
    const about = mails.filter(({ parsed }) => parsed.subject?.startsWith('Reminder: '));
    expect(about.length).toBeGreaterThanOrEqual(2);
    for (const { parsed } of about) expect(parsed.text).toMatch(/http:\/\/[^/]+\/reservation\//);
  });

  it('goes to whom a ticket was given, too', async () => {
    await switchOn(true);
    const event = await booked(1);
    const [ticket] = (await venue.inside(() => test.app.get(ReservationsService).find(event.sales[0]!)))!.tickets;
    await venue.inside(() => giveTicket(test.app, ticket!, { email: 'sacha@example.org', firstName: 'Sacha', lastName: '' }));
    await venue.deliver();
    await remind('2099-07-09T17:30');
    const recipients = (await venue.deliver()).filter(({ parsed }) => parsed.subject?.startsWith('Reminder: ')).map(({ to }) => to[0]);
    expect(recipients).toContain('sacha@example.org');
  });

  it('is not sent when the event moved, was cancelled or was postponed meanwhile, and again for another start', async () => {
    await switchOn(true);
    const [moved, cancelled, postponed] = [await booked(1), await booked(1), await booked(1)];
    await venue.sql(`update event set alteration = 'postponed' where id = $1`, [postponed.id]);
    await remind('2099-07-09T17:30');
    expect(await reminded(postponed)).toEqual([]);
    await venue.sql(`update event set starts_at = starts_at + interval '7 days' where id = $1`, [moved.id]);
    await venue.sql('update event set published = false where id = $1', [cancelled.id]);
    const subjects = (await venue.deliver()).map(({ parsed }) => parsed.subject);
    expect(subjects.filter((subject) => subject?.startsWith('Reminder: '))).toEqual([]);
    await remind('2099-07-16T17:30');
    expect(await reminded(moved)).toHaveLength(2);
    expect((await venue.deliver()).map(({ parsed }) => parsed.subject?.startsWith('Reminder: '))).toEqual([true]);
  });
});
