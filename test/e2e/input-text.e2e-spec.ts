import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsersService, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { oneEvent } from '../support/box-office.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { nothingToSee, unfitAddresses } from '../support/unfit-texts.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  const nouns = ['event', 'product', 'reservation', 'membership'] as const;
  authorization = await newKey(test, tenant, ...nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const));
  event = await newEvent(test, tenant);
  const users = test.app.get(UsersService);
  const { id, email, password } = await users.create({ email: 'texts@example.org' });
  await users.grant(id, { tenantId: tenant.id });
  staff = new PanelClient(test, tenant.host);
  await staff.signIn(email, password);
});
afterAll(() => test.close());

const send = (method: 'post' | 'patch', path: string): supertest.Test =>
  test.on(tenant).call(method, path).set('Authorization', authorization);
const pointersOf = ({ body }: supertest.Response): string[] =>
  (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
/** Sends raw bytes. */
const sendBytes = (path: string, type: string, bytes: Buffer): supertest.Test =>
  send('post', path)
    .set('Content-Type', type)
    .serialize((raw) => raw as unknown as string)
    .send(bytes as unknown as string);

describe('an invalid e-mail address', () => {
  it('is refused by API and box office', async () => {
    for (const email of unfitAddresses) {
      const tickets = { reservedTicket: [{ identifier: event.priceId }] };
      const booked = await send('post', '/api/v2/reservations/').send({ underName: { email }, ...tickets });
      expect([email, booked.status, booked.body.code, pointersOf(booked)]).toEqual([email, 400, 'body.invalid', ['/underName/email']]);
      const member = await send('post', '/api/v2/memberships/').send({
        member: { email },
        membershipPlan: event.priceId,
      });
      expect([email, member.status, pointersOf(member)]).toEqual([email, 400, ['/member/email']]);
      // The box office accepts an empty address.
      if (email === '') continue;
      const lines = [{ priceId: event.priceId, quantity: 1 }];
      const sold = await staff.send('reservations', 'sell', oneEvent({ eventId: event.id, email, tickets: lines, paymentMethod: 'cash' }));
      expect([email, Object.keys(sold.errors ?? {})]).toEqual([email, ['email']]);
    }
  }, 120_000);

  it.each([
    'ada@example.org',
    'zoë@théâtre.example',
    `${'x'.repeat(64)}@example.org`,
    "o'hara+2@sub.example.org",
    'ada@xn--9ca.fr',
    '用户@例え.jp',
  ])('is not %s', async (email) => {
    const body = { reservationFor: event.id, underName: { email }, reservedTicket: [{ identifier: event.priceId }] };
    await send('post', '/api/v2/reservations/').send(body).expect(201);
  });
});

describe('names and plain texts', () => {
  it('are refused when they have no visible characters', async () => {
    for (const name of nothingToSee) {
      const sent = [
        [await send('post', '/api/v2/events/').send({ name, startDate: '2027-03-01T20:00' }), '/name'],
        [await send('post', '/api/v2/products/').send({ name, category: 'B' }), '/name'],
        [await send('post', '/api/products/').send({ name, categorie_article: 'B' }), '/name'],
        [
          await send('post', '/api/v2/postal-addresses/').send({
            streetAddress: name,
            addressLocality: 'a',
            postalCode: '1',
            addressCountry: 'FR',
          }),
          '/streetAddress',
        ],
      ] as const;
      for (const [answer, pointer] of sent) expect([name, answer.status, pointersOf(answer)]).toEqual([name, 400, [pointer]]);
      const forms = [
        await staff.create('events', { name, category: 'CON', startsAt: '2027-03-01T20:00', capacity: 5 }),
        await staff.create('products', { name, category: 'B' }),
        await staff.create('devices', { name }),
        await staff.create('keys', { name, scopes: ['event:read'] }),
      ];
      for (const { record } of forms) expect([name, Object.keys(record?.errors ?? {})]).toEqual([name, ['name']]);
    }
  }, 120_000);

  it.each(['\u0001', '\u0008', '\u000b', '\u001b', '\u001f'])('are refused with the control character %j', async (control) => {
    const text = `a${control}b`;
    const body = { name: text, startDate: '2027-03-01T20:00', disambiguatingDescription: text, description: text, keywords: [text] };
    const answer = await send('post', '/api/v2/events/').send(body).expect(400);
    expect(pointersOf(answer).toSorted()).toEqual(['/description', '/disambiguatingDescription', '/keywords', '/name']);
    const holder = {
      underName: { email: 'ada@example.org', givenName: text },
      reservedTicket: [{ identifier: event.priceId, underName: { familyName: text } }],
    };
    const booked = await send('post', '/api/v2/reservations/').send(holder).expect(400);
    expect(pointersOf(booked).toSorted()).toEqual(['/reservedTicket/0/underName', '/underName/givenName']);
    const { record } = await staff.create('events', { name: text, category: 'CON', startsAt: '2027-03-01T20:00', capacity: 5 });
    expect(Object.keys(record?.errors ?? {})).toEqual(['name']);
  });

  it('keep tabs and line breaks', async () => {
    const body = { name: 'Tab\tand\nline', startDate: '2027-03-01T20:00', description: 'one\r\ntwo\tthree' };
    const answer = await send('post', '/api/v2/events/').send(body).expect(201);
    expect(answer.body).toMatchObject({ name: 'Tab and line', description: 'one\r\ntwo\tthree' });
  });

  it.each([
    ['x'.repeat(201), 'shortDescription', 'x'.repeat(1001)],
    [`${'<b>'.repeat(60)}x`, 'longDescription', `${'<ul><li>'.repeat(40)}x`],
  ])('are refused in the panel where the API refuses them: too long, too deep', async (name, field, text) => {
    const fields = { name, category: 'CON', startsAt: '2027-03-01T20:00', capacity: 5 };
    expect(Object.keys((await staff.create('events', fields)).record?.errors ?? {})).toEqual(['name']);
    const other = { ...fields, name: 'Fit', [field]: text };
    expect(Object.keys((await staff.create('events', other)).record?.errors ?? {})).toEqual([field]);
  });

  it('may contain many elements side by side', async () => {
    const description = `${'<p>line'.repeat(200)}${'<ul><li>x<li>y</ul>'.repeat(50)}`;
    await send('post', '/api/v2/events/').send({ name: 'Wide', startDate: '2027-03-01T20:00', description }).expect(201);
  });
});

describe('bytes that are not UTF-8', () => {
  const latin = Buffer.from('caf\xe9', 'latin1');
  const part = (name: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`), content, Buffer.from('\r\n')]);

  it.each([
    ['JSON', 'application/json', Buffer.concat([Buffer.from('{"name":"'), latin, Buffer.from('"}')])],
    ['a member name in JSON', 'application/json', Buffer.concat([Buffer.from('{"'), latin, Buffer.from('":1}')])],
    ['an overlong form', 'application/json', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['an encoded surrogate', 'application/json', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an urlencoded form', 'application/x-www-form-urlencoded', Buffer.from('name=caf%E9')],
    ['a raw urlencoded form', 'application/x-www-form-urlencoded', Buffer.concat([Buffer.from('name='), latin])],
    ['an urlencoded name', 'application/x-www-form-urlencoded', Buffer.from('caf%E9=1')],
    ['a multipart form', 'multipart/form-data; boundary=x', Buffer.concat([part('name', latin), Buffer.from('--x--\r\n')])],
    [
      'a multipart name',
      'multipart/form-data; boundary=x',
      Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data; name="'), latin, Buffer.from('"\r\n\r\nx\r\n--x--\r\n')]),
    ],
  ])('are refused in %s', async (_name, type, bytes) => {
    expect((await sendBytes('/api/v2/events/', type, bytes).expect(400)).body).toMatchObject({ code: 'request.text' });
  });

  it.each(['utf-16le', 'utf-16', 'iso-8859-1', '"latin1"'])('are not read as %s', async (charset) => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const answer = await sendBytes('/api/v2/events/', `${type}; charset=${charset}`, Buffer.from('{}')).expect(415);
      expect(answer.body).toMatchObject({ code: 'body.unsupported_type' });
    }
  });

  it.each([
    '/api/v2/events/?filter=caf%E9',
    '/api/v2/events/?%E9=1',
    '/api/v2/events/?filter=%ED%A0%80',
    '/?from=%C0%80',
    '/api/v2/events/?filter=%00',
    '/api/v2/events/caf%E9/',
    '/event/caf%E9',
  ])('are refused in %s', async (path) => {
    const { status } = await test.on(tenant).get(path).set('Authorization', authorization);
    expect(status).toBe(400);
  });

  it('are distinguished from a percent sign and from UTF-8', async () => {
    for (const query of ['filter=50%', 'filter=100%25', 'filter=%C3%A9t%C3%A9', 'filter=%F0%9F%8E%AB']) {
      await test.on(tenant).get(`/api/v2/events/?${query}`).set('Authorization', authorization).expect(200);
    }
    const charset = 'application/json; charset=UTF-8';
    const body = Buffer.from('{"name":"Été 🎫","startDate":"2027-03-01T20:00"}');
    expect((await sendBytes('/api/v2/events/', charset, body).expect(201)).body).toMatchObject({ name: 'Été 🎫' });
    const part = Buffer.from(
      '--x\r\nContent-Disposition: form-data; name="name"\r\n' +
        'Content-Type: text/plain; charset=UTF-8\r\n\r\nFête\r\n--x\r\n' +
        'Content-Disposition: form-data; name="startDate"\r\n\r\n2027-03-01T20:00\r\n--x--\r\n',
    );
    const made = await sendBytes('/api/v2/events/', 'multipart/form-data; boundary=x', part).expect(201);
    expect(made.body).toMatchObject({ name: 'Fête' });
  });
});

describe('null and empty in a form', () => {
  const full = {
    endDate: '2027-03-01T23:00:00+01:00',
    disambiguatingDescription: 'short',
    description: 'long',
    keywords: ['jazz'],
    sameAs: 'https://example.org/',
    audience: { audienceType: 'private' },
    offers: { eligibleQuantity: { maxValue: 3 } },
    additionalProperty: [{ name: 'optionsRadio', value: ['a'] }],
  };
  const make = async (more: object = full): Promise<string> => {
    const body = { name: `Event ${Math.random()}`, startDate: '2027-03-01T20:00', ...more };
    return (await send('post', '/api/v2/events/').send(body).expect(201)).body.identifier as string;
  };

  /** An event without its identifying members. */
  const withoutNames = (body: Body): unknown => JSON.parse(JSON.stringify(body).replaceAll(/"(identifier|name|url)":"[^"]*"/g, '"$1":""'));

  it.each(['', 'null'])(
    'clear what JSON null clears: %j',
    async (nothing) => {
      for (const member of [...Object.keys(full), 'location', 'image', 'maximumAttendeeCapacity']) {
        const [one, other, third] = [await make(), await make(), await make()];
        const json = await send('patch', `/api/v2/events/${one}/`)
          .send({ [member]: null })
          .expect(200);
        const form = await send('patch', `/api/v2/events/${other}/`)
          .type('form')
          .send({ [member]: nothing })
          .expect(200);
        const parts = await send('patch', `/api/v2/events/${third}/`).field(member, nothing).expect(200);
        for (const { body } of [form, parts]) expect(withoutNames(body as Body)).toEqual(withoutNames(json.body as Body));
      }
    },
    120_000,
  );

  it('are refused where JSON null is refused, and a name may be the text null', async () => {
    const id = await make();
    const path = `/api/v2/events/${id}/`;
    for (const member of ['name', 'startDate']) {
      expect(
        pointersOf(
          await send('patch', path)
            .type('form')
            .send({ [member]: '' })
            .expect(400),
        ),
      ).toEqual([`/${member}`]);
    }
    expect((await send('patch', path).type('form').send({ name: 'null' }).expect(200)).body.name).toBe('null');
    const refused = await send('patch', path).type('form').send({ image: 'https://example.org/a.png' }).expect(400);
    expect(pointersOf(refused)).toEqual(['/image']);
  });

  it('counts members, not the entries of a list', async () => {
    const keywords = Array.from({ length: 50 }, (_, index) => `word ${index}`);
    const id = await make({});
    const form = await send('patch', `/api/v2/events/${id}/`).type('form').send({ keywords, name: 'Fifty words' }).expect(200);
    expect((form.body.keywords as string[]).length).toBe(50);
    const parts = await send('patch', `/api/v2/events/${id}/`).field('keywords', keywords).field('name', 'Fifty parts').expect(200);
    expect((parts.body.keywords as string[]).length).toBe(50);
  });
});
