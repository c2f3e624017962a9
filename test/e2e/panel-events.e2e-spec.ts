import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { WholeReservation } from '#tickets';
import { EventsService, ProductsService, type Event } from '#catalogue';
import { JobRunner } from '#jobs';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { book, expectNoDrift } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  test.app.get(JobRunner).start();
  venue = await test.newTenant({ name: 'Venue', timeZone: 'Europe/Paris' });
  staff = await staffOf(test, venue);
});
afterEach(() => expectNoDrift(test, venue));
afterAll(async () => {
  await test.close();
  await post.close();
});

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);
const params = async (resource: string, id: string): Promise<Record<string, unknown>> => (await staff.look(resource, id)).record!.params;
const sold = (event: { id: string; priceId: string }, quantity = 1): Promise<WholeReservation> =>
  book(test, venue, event, { quantity, confirmed: true, paymentMethod: 'card' });
const idOf = ({ redirectUrl }: PanelAnswer): string => redirectUrl!.split('/').at(-2)!;
const stored = async (id: string): Promise<Event> => (await inside(() => test.app.get(EventsService).find(id)))!;

/** Waits until a value satisfies a condition, for background jobs. */
describe('an event in the panel', () => {
  it('has tags and options, and shows what was booked and paid', async () => {
    const { id, priceId } = await newEvent(test, venue, { capacity: 80 });
    const fields = { keywords: 'jazz, free  ; Jazz', radioOptions: 'Seated\n\nStanding', checkboxOptions: 'Meal' };
    await staff.act('events', id, 'edit', fields);
    await sold({ id, priceId }, 2);
    await book(test, venue, { id, priceId }, { confirmed: true, paymentMethod: 'offered' });
    expect(await params('events', id)).toMatchObject({
      keywords: 'free, jazz',
      radioOptions: 'Seated\nStanding',
      checkboxOptions: 'Meal',
      filled: '3 / 80',
      revenue: '25.00',
      cancellation: null,
    });
    const { records } = await staff.list('events', { 'filters.keywords': 'jazz' });
    expect(records!.map((record) => record.params)).toMatchObject([{ id, filled: '3 / 80', revenue: '25.00' }]);
  });

  it('stands in the list in the order of the work: under way, the next ones, then those that are over, the last first', async () => {
    const hours = { earlier: -30, last: -20, underWay: -1, next: 5, later: 900 } as const;
    for (const name of ['later', 'earlier', 'next', 'last', 'underWay'] as const) {
      const startsAt = new Date(Date.now() + hours[name] * 3_600_000);
      await newEvent(test, venue, { name: `Ordered ${name}`, startsAt });
    }
    const shown = async (query: Record<string, string>) => {
      const { records } = await staff.list('events', { 'filters.name': 'Ordered', ...query });
      return records!.map(({ params: { name } }) => String(name).slice('Ordered '.length));
    };
    const whole = ['underWay', 'next', 'later', 'last', 'earlier'];
    expect(await shown({})).toEqual(whole);
    expect([await shown({ perPage: '3' }), await shown({ perPage: '3', page: '2' })].flat()).toEqual(whole);
    expect(await shown({ sortBy: 'startsAt', direction: 'asc' })).toEqual(['earlier', 'last', 'underWay', 'next', 'later']);
  });

  it('has a subtitle, by which the list and the search find it, and which an empty field removes', async () => {
    const { id, name } = await newEvent(test, venue);
    await staff.act('events', id, 'edit', { subtitle: ' The <b>Late</b> Études ' });
    expect(await params('events', id)).toMatchObject({ subtitle: 'The Late Études' });
    const { records } = await staff.list('events', { 'filters.search': 'late etudes' });
    expect(records!.map((record) => record.params['id'])).toEqual([id]);
    const { body } = await staff.call('post', '/api/search').send({ text: 'late etudes' }).expect(200);
    expect(body).toMatchObject({
      groups: [{ id: 'events', hits: [{ id, title: name, details: expect.arrayContaining(['The Late Études']) }] }],
    });
    const long = await staff.act('events', id, 'edit', { subtitle: 'x'.repeat(201) });
    expect(Object.keys(long.record!.errors)).toEqual(['subtitle']);
    await staff.act('events', id, 'edit', { subtitle: '' });
    expect((await stored(id)).subtitle).toBeNull();
  });

  it('is published and unpublished with one click each', async () => {
    const { id } = await newEvent(test, venue, { published: false });
    expect((await staff.act('events', id, 'publish')).record!.params).toMatchObject({ published: true });
    expect((await staff.act('events', id, 'publish')).notice?.type).toBe('error');
    expect((await staff.act('events', id, 'unpublish')).record!.params).toMatchObject({ published: false });
    expect((await stored(id)).published).toBe(false);
  });

  it('sells exactly the selected products, and publishes the change', async () => {
    const { id } = await newEvent(test, venue);
    const [shirt, card] = await inside(async () => {
      const products = test.app.get(ProductsService);
      return [await products.create({ name: 'Long shirt', category: 'T' }), await products.create({ name: 'Card', category: 'A' })];
    });
    const { sequence } = await stored(id);
    const { view } = await staff.look('events', id, 'products');
    const [field] = (view as { fields: { options: { value: string }[]; value: string[] }[] }).fields;
    expect(field!.value).toHaveLength(1);
    expect(field!.options.map(({ value }) => value)).not.toContain(card.id);
    await staff.act('events', id, 'products', { productIds: [shirt.id, 'no id', venue.id] });
    expect(await params('events', id)).toMatchObject({ 'products.items.0.title': 'Long shirt' });
    expect((await stored(id)).sequence).toBe(sequence + 1);
    await staff.act('events', id, 'products', { productIds: [shirt.id] });
    expect((await stored(id)).sequence).toBe(sequence + 1);
    await staff.act('events', id, 'products', { productIds: [], confirmed: true });
    expect((await params('events', id))['products.items.0.title']).toBeUndefined();
  });

  it("has a return period, which the holder's page applies", async () => {
    const { id } = await newEvent(test, venue);
    expect(await params('events', id)).toMatchObject({ merchantReturnDays: 7 });
    await staff.act('events', id, 'edit', { merchantReturnDays: '2' });
    expect([(await params('events', id))['merchantReturnDays'], (await stored(id)).merchantReturnDays]).toEqual([2, 2]);
    const refused = await staff.act('events', id, 'edit', { merchantReturnDays: '-1' });
    expect(Object.keys(refused.record!.errors)).toEqual(['merchantReturnDays']);
    await staff.act('events', id, 'edit', { name: 'Renamed only' });
    expect((await stored(id)).merchantReturnDays).toBe(2);
  });

  it('is duplicated a month later with its length, also from the last days of a long month into the night', async () => {
    const times = { startsAt: new Date('2027-03-30T18:00:00Z'), endsAt: new Date('2027-03-31T00:00:00Z') };
    const event = await newEvent(test, venue, times);
    const copy = idOf(await staff.act('events', event.id, 'duplicate', { step: 'month' }));
    expect(await params('events', copy)).toMatchObject({ startsAt: '2027-04-30T18:00:00.000Z', endsAt: '2027-05-01T00:00:00.000Z' });
  });

  it('is duplicated to the same local time, unpublished, with its products', async () => {
    const words = { keywords: ['rock'], radioOptions: ['Left', 'Right'], checkboxOptions: ['Meal'] };
    const times = { startsAt: new Date('2027-02-28T19:30:00Z'), endsAt: new Date('2027-02-28T22:00:00Z') };
    const door = { doorNote: 'red wristband', minimumAge: 16, cutOffPolicy: 'one_device' } as const;
    const event = await newEvent(test, venue, { ...words, ...times, ...door, subtitle: 'Once more', capacity: 7, maxPerUser: 3 });
    const copy = async (step: string): Promise<string> => idOf(await staff.act('events', event.id, 'duplicate', { step }));
    // Daylight saving time starts on 28 March.
    for (const [step, startsAt, endsAt] of [
      ['day', '2027-03-01T19:30:00.000Z', '2027-03-01T22:00:00.000Z'],
      ['week', '2027-03-07T19:30:00.000Z', '2027-03-07T22:00:00.000Z'],
      ['month', '2027-03-28T18:30:00.000Z', '2027-03-28T21:00:00.000Z'],
    ] as const) {
      const found = await params('events', await copy(step));
      expect(found).toMatchObject({
        name: event.name,
        subtitle: 'Once more',
        startsAt,
        endsAt,
        published: false,
        filled: '0 / 7',
        maxPerUser: 3,
        keywords: 'rock',
        radioOptions: 'Left\nRight',
        checkboxOptions: 'Meal',
        ...door,
      });
      expect(found['products.items.0.title']).toMatch(/^Ticket /);
    }
    const again = await staff.act('events', event.id, 'duplicate', { step: 'week' });
    expect(again.notice).toMatchObject({ type: 'error', message: expect.stringContaining('There is already an event with this name') });
    const never = await staff.act('events', event.id, 'duplicate', { step: 'century' });
    expect(Object.keys(never.record!.errors)).toEqual(['step']);
  });

  it('has a picture, like its address', async () => {
    const { id } = await newEvent(test, venue);
    const address = await staff.create('addresses', {
      streetAddress: '1 quai',
      postalCode: '44000',
      addressLocality: 'Nantes',
      addressCountry: 'FR',
    });
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    for (const [resource, record] of [
      ['events', id],
      ['addresses', address.record!.id],
    ] as const) {
      const path = `/api/resources/${resource}/records/${record}/picture`;
      await staff.call('post', path).attach('img', png, 'x.png').expect(200);
      const src = String((await params(resource, record))['picture.src']);
      await test.on(venue).get(src).expect(200).expect('Content-Type', 'image/webp');
      await staff.act(resource, record, 'picture', { remove: true });
      expect((await params(resource, record))['picture.src']).toBeNull();
    }
  });
});

describe('cancelling an event', () => {
  it('unpublishes it, cancels its reservations in the background, notifies holders; those with scanned tickets stay', async () => {
    const event = await newEvent(test, venue, { capacity: 500 });
    const door = await newDevice(test, venue);
    const holders: WholeReservation[] = [];
    // More reservations than one step of the job handles.
    for (let count = 0; count < 27; count += 1) holders.push(await sold(event, 1 + (count % 2)));
    const unpaid = await book(test, venue, event);
    const inhouse = await sold(event);
    const code = (await params('tickets', inhouse.tickets[0]!.id))['qr.text'];
    await test.on(venue).post('/scan/ticket/').set('Authorization', door.authorization).send({ qrcode_data: code }).expect(200);

    const { view } = await staff.look('events', event.id, 'cancel');
    const facts = (view as { facts: string[] }).facts.join('\n');
    expect(facts).toContain('28 reservations cancelled');
    expect(facts).toContain('1 reservation kept');
    const note = 'The hall is flooded: see you in May.';
    const { notice } = await staff.act('events', event.id, 'cancel', { note });
    expect(notice).toMatchObject({ type: 'success', message: 'cancelled' });
    expect((await stored(event.id)).published).toBe(false);

    const said = await until(
      async () => String((await params('events', event.id))['cancellation']),
      (text) => text.startsWith('Cancelled'),
      90_000,
    );
    expect(said).toBe('Cancelled, with 28 reservations · 1 reservation kept: somebody has entered');
    expect(await params('events', event.id)).toMatchObject({ filled: '1 / 500', sold: 1, inside: 1 });
    expect(await params('reservations', unpaid.id)).toMatchObject({ status: 'C', cancelReason: 'event' });
    expect(await params('reservations', inhouse.id)).toMatchObject({ status: 'V' });
    const told = () => post.mails.filter(({ parsed }) => parsed.text?.includes(note)).flatMap(({ to }) => to);
    await until(
      () => Promise.resolve(new Set(told())),
      (addresses) => holders.every(({ email }) => addresses.has(email)),
      90_000,
    );
    expect(told()).not.toContain(inhouse.email);
  }, 240_000);

  it('stops when the event is published again, and is offered only for published or booked events', async () => {
    const unknown = await newEvent(test, venue, { published: false });
    expect((await staff.act('events', unknown.id, 'cancel')).notice?.type).toBe('error');
    const announced = await newEvent(test, venue);
    expect((await staff.act('events', announced.id, 'cancel')).notice).toMatchObject({ type: 'success', message: 'cancelled' });
    const event = await newEvent(test, venue);
    await sold(event);
    await staff.act('events', event.id, 'cancel', { confirmed: true });
    await until(
      async () => String((await params('events', event.id))['cancellation']),
      (text) => text === 'Cancelled, with 1 reservation',
      90_000,
    );
    await staff.act('events', event.id, 'publish');
    expect((await params('events', event.id))['cancellation']).toBeNull();
    const { id } = await sold(event);
    await staff.act('events', event.id, 'unpublish');
    expect((await params('events', event.id))['cancellation']).toBeNull();
    expect(await params('reservations', id)).toMatchObject({ status: 'V' });
  }, 120_000);

  it('is refused without access', async () => {
    const event = await newEvent(test, venue);
    await sold(event);
    const other = await staffOf(test, await test.newTenant());
    for (const action of ['cancel', 'duplicate', 'products', 'publish', 'picture']) {
      expect((await other.act('events', event.id, action, { step: 'day' })).notice?.type).toBe('error');
    }
    expect((await stored(event.id)).published).toBe(true);
  });
});
