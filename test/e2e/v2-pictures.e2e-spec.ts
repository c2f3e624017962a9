import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown> & { identifier: string; image?: string[] };

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let png: Buffer;
let jpeg: Buffer;

beforeAll(async () => {
  test = await startTestApp();
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } });
  [png, jpeg] = [await picture.clone().png().toBuffer(), await picture.clone().jpeg().toBuffer()];
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string): supertest.Test =>
  test.on(tenant).call(method, `/api/v2/${path}`).set('Authorization', authorization);

const pictures = async (): Promise<number> => (await test.database.query(`select 1 from "${tenant.schemaName}".image`)).length;

const kinds = {
  events: { name: 'Evening', startDate: '2027-03-01T20:00:00+01:00' },
  'postal-addresses': { streetAddress: '1 rue Neuve', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' },
} as const;

describe.each(Object.entries(kinds))('pictures of %s', (path, fields) => {
  const form = (sent: supertest.Test): supertest.Test =>
    Object.entries(fields).reduce((request, [name, value]) => request.field(name, value), sent);

  it('are uploaded with the creating form, and answered as image with absolute addresses', async () => {
    const sent = form(call('post', `${path}/`))
      .attach('img', png, 'a.png')
      .attach('sticker_img', jpeg, 'b.jpg');
    const made = (await sent.expect(201)).body as Body;
    const host = `http://${tenant.host}:3000/images/`;
    expect(made.image).toEqual([expect.stringMatching(/fhd\.png$/), expect.stringMatching(/fhd\.jpg$/)]);
    for (const address of made.image!) {
      expect(address.slice(0, host.length)).toBe(host);
      await test.on(tenant).get(new URL(address).pathname).expect(200);
    }
    const seen = await call('get', `${path}/${made.identifier}/`).expect(200);
    expect(seen.body).toEqual(made);
    const list = await call('get', `${path}/`).expect(200);
    expect((list.body as { results: unknown[] }).results).toEqual([made]);
    // The response can be sent back unchanged.
    expect((await call('patch', `${path}/${made.identifier}/`).send(made).expect(200)).body).toEqual(made);
  });

  it('are replaced and removed completely', async () => {
    const { body } = await call('post', `${path}/`).send(fields).expect(201);
    const { identifier, image } = body as Body;
    expect(image).toBeUndefined();
    const change = (): supertest.Test => call('patch', `${path}/${identifier}/`);
    const first = (await change().attach('img', png, 'a.png').attach('sticker_img', png, 'b.png').expect(200)).body as Body;
    const second = (await change().attach('img', jpeg, 'a.jpg').field('name', 'Other').expect(200)).body as Body;
    expect(second).toMatchObject({ name: 'Other', image: [expect.stringMatching(/jpg$/), first.image![1]] });
    expect(await pictures()).toBe(2);
    const third = (await change().send({ image: null }).expect(200)).body as Body;
    expect([third.image, await pictures()]).toEqual([undefined, 0]);
    await change().attach('img', png, 'a.png').expect(200);
    await call('delete', `${path}/${identifier}/`).expect(204);
    expect(await pictures()).toBe(0);
  });

  it('have at most 10 MiB; otherwise nothing is created', async () => {
    for (const [field, file] of [
      ['img', Buffer.from('<svg/>')],
      ['sticker_img', Buffer.from('hello')],
      ['img', Buffer.alloc(10 * 1024 * 1024 + 1)],
    ] as const) {
      const { body } = await form(call('post', `${path}/`))
        .attach(field, file, 'a.png')
        .expect(400);
      expect([body.code, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual(['body.invalid', [`/${field}`]]);
    }
    const { body } = await call('get', `${path}/`).expect(200);
    expect([(body as { results: unknown[] }).results, await pictures()]).toEqual([[], 0]);
  });

  it('are part of the request that an Idempotency-Key identifies', async () => {
    const key = randomUUID();
    const send = (file: Buffer): supertest.Test => form(call('post', `${path}/`).set('Idempotency-Key', key)).attach('img', file, 'a');
    const one = await send(png).expect(201);
    expect((await send(png).expect(201)).text).toBe(one.text);
    expect((await send(jpeg).expect(422)).body).toMatchObject({ code: 'idempotency.key_reused' });
    expect(await pictures()).toBe(1);
  });
});

describe('the form of an event', () => {
  it('accepts every member, nested ones as JSON text', async () => {
    const parent = (
      await call('post', 'events/')
        .send({ ...kinds.events, name: 'Festival' })
        .expect(201)
    ).body as Body;
    const sent = call('post', 'events/')
      .field(kinds.events)
      .field({
        maximumAttendeeCapacity: '120',
        keywords: 'jazz',
        eventStatus: 'EventCancelled',
        superEvent: JSON.stringify({ identifier: parent.identifier }),
        offers: '{"eligibleQuantity": {"maxValue": 4}}',
        audience: '{"audienceType": "private"}',
      });
    expect((await sent.expect(201)).body).toMatchObject({
      maximumAttendeeCapacity: 120,
      keywords: ['jazz'],
      eventStatus: 'https://schema.org/EventCancelled',
      superEvent: parent.identifier,
      offers: { eligibleQuantity: { maxValue: 4 } },
      audience: { audienceType: 'private' },
    });
    const more = await call('post', 'events/')
      .type('form')
      .send({ ...kinds.events, name: 'Plain', keywords: ['a', 'b'] })
      .expect(201);
    expect(more.body).toMatchObject({ name: 'Plain', keywords: ['a', 'b'] });
    const { body } = await call('post', 'events/').field('name', 'x').field('maximumAttendeeCapacity', 'many').expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(['/startDate', '/maximumAttendeeCapacity']),
    );
  });

  it('publishes a new picture like any other change', async () => {
    const { body } = await call('post', 'events/').send(kinds.events).expect(201);
    const { identifier } = body as Body;
    await call('patch', `events/${identifier}/`).attach('img', png, 'a.png').expect(200);
    await call('patch', `events/${identifier}/`).send({ name: 'Evening' }).expect(200);
    const feed = await call('get', 'webhook-events/').expect(200);
    const { results } = feed.body as { results: { type: string; data: Body }[] };
    expect(results.map(({ type, data }) => [type, data['sequence'], data.image?.length])).toEqual([
      ['event.created', 1, undefined],
      ['event.updated', 2, 1],
    ]);
  });
});
