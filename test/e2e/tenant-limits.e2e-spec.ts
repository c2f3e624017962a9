import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import sharp from 'sharp';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let busy: TenantIdentity;
let other: TenantIdentity;
let busyKey: string;
let otherKey: string;
let locker: pg.Client;

beforeAll(async () => {
  test = await startTestApp({ environment: { DATABASE_POOL_SIZE: '6', DATABASE_WAIT_MS: '3000', WORKER: 'separate' } });
  const scopes = ['product:write', 'product:read', 'reservation:read', 'reservation:write', 'membership:read', 'event:read'] as const;
  [busy, other] = [await test.newTenant(), await test.newTenant()];
  [busyKey, otherKey] = [await newKey(test, busy, ...scopes), await newKey(test, other, ...scopes)];
});
beforeEach(async () => {
  locker = new pg.Client({ connectionString: await test.database.urlOf(busy) });
  await locker.connect();
});
afterEach(() => locker.end());
afterAll(() => test.close());

/** Sends the beginning of a form with a picture, but not its end. */
async function slowUpload(): Promise<Socket> {
  const socket = connect(test.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST /api/products/ HTTP/1.1\r\nHost: ${busy.host}\r\nAuthorization: ${busyKey}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 500000\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="img"; filename="a"\r\n\r\nxx',
  );
  return socket;
}

function upload(tenant: TenantIdentity, key: string, picture: Buffer) {
  const sent = test.on(tenant).post('/api/products/').set('Authorization', key);
  return sent.field('name', `Poster ${randomUUID()}`).field('categorie_article', 'T').attach('img', picture, 'a.png');
}

function booking(tenant: TenantIdentity, key: string, event: { id: string; priceId: string }) {
  return test
    .on(tenant)
    .post('/api/v2/reservations/')
    .set('Authorization', key)
    .send({
      reservationFor: { identifier: event.id },
      underName: { email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: event.priceId }],
      confirmed: true,
    });
}

const book = (...of: Parameters<typeof booking>): Promise<number> => booking(...of).then(({ status }) => status);

const pass = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('heavy work of one tenant', () => {
  it('waits in its own queue for slow uploads: another tenant uploads at once, and the 44th is refused', async () => {
    // Noise, so that the form is too long to be read without a turn.
    const picture = await sharp(randomBytes(360 * 360 * 3), { raw: { width: 360, height: 360, channels: 3 } })
      .png()
      .toBuffer();
    const sockets = await Promise.all(Array.from({ length: 43 }, slowUpload));
    try {
      await pass();
      // With one common queue this would wait for the slow uploads: 30 s and more.
      await upload(other, otherKey, picture).expect(201);
      const { body, headers } = await upload(busy, busyKey, picture).expect(429);
      expect([body.code, headers['retry-after']]).toEqual(['tenant.busy', '5']);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await pass();
    await upload(busy, busyKey, picture).expect(201);
  });

  it('keeps a connection free during complete lists and long pages, and does not limit short pages', async () => {
    await locker.query(`begin; lock table "${busy.schemaName}".reservation, "${busy.schemaName}".postal_address in access exclusive mode`);
    // Addresses have no pages: they ignore `page`.
    const paths = ['/api/reservations/', '/api/v2/reservations/', '/api/reservations/?page_size=500', '/api/v2/postal-addresses/?page=1'];
    const lists = Promise.all(
      paths.flatMap((path) =>
        Array.from({ length: 5 }, () =>
          test
            .on(busy)
            .get(path)
            .set('Authorization', busyKey)
            .then(({ status }) => status),
        ),
      ),
    );
    try {
      await pass();
      // Without the limit the lists would use all three connections of the tenant, and this would be 503.
      await test.on(busy).get('/api/v2/memberships/?page=1').set('Authorization', busyKey).expect(200);
      await test.on(other).get('/api/reservations/').set('Authorization', otherKey).expect(200);
    } finally {
      await locker.query('rollback');
    }
    expect(await lists).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('does not delay other tenants while bookings wait for a locked event', async () => {
    const [locked, free] = [await newEvent(test, busy), await newEvent(test, other)];
    await locker.query(`begin; select 1 from "${busy.schemaName}".event where id = '${locked.id}' for update`);
    const bookings = Promise.all(Array.from({ length: 8 }, () => book(busy, busyKey, locked)));
    try {
      await pass();
      // With one common queue this would wait for the lock.
      expect(await Promise.all([1, 2].map(() => book(other, otherKey, free)))).toEqual([201, 201]);
    } finally {
      await locker.query('rollback');
    }
    expect(await bookings).toEqual(Array.from({ length: 8 }, () => 201));
  });

  it('does not book for clients that leave while their bookings wait', async () => {
    const event = await newEvent(test, busy);
    await locker.query(`begin; select 1 from "${busy.schemaName}".event where id = '${event.id}' for update`);
    // Two bookings of a tenant run at once with this pool; the others wait for them.
    const running = [1, 2].map(() => book(busy, busyKey, event));
    await pass();
    const waiting = Array.from({ length: 4 }, () => booking(busy, busyKey, event));
    const left = Promise.allSettled(waiting);
    const stays = book(busy, busyKey, event);
    await pass();
    for (const request of waiting) request.abort();
    await pass();
    await locker.query('rollback');
    expect(await Promise.all([...running, stays])).toEqual([201, 201, 201]);
    // It comes after all that waited.
    expect(await book(busy, busyKey, event)).toBe(201);
    const { rows } = await locker.query(`select booked from "${busy.schemaName}".event where id = '${event.id}'`);
    expect(rows).toEqual([{ booked: 4 }]);
    expect((await left).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  });
});
