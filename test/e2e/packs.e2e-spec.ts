import { createDecipheriv, createPublicKey, hkdfSync, randomUUID, verify } from 'node:crypto';
import { request } from 'node:http';
import { GatesService } from '#scan';
import { ServerStop } from '#http';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, newTickets, type PairedDevice } from '../support/builders.js';
import { hashOf, packApi, readPack, ticketsOf, waitsFor } from '../support/packs.js';
import { scanApi } from '../support/scan-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let other: PairedDevice;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  device = await newDevice(test, venue, 'Door 1');
  other = await newDevice(test, venue, 'Balcony');
});
afterAll(() => test.close());

const { call, scan, undo, status } = scanApi(() => ({ test, venue, device }));
const { pack, full, delta } = packApi(() => ({ test, venue, device }));

describe('GET /scan/pack/', () => {
  it('lists all tickets with their states, signed by the tenant', async () => {
    const event = await newEvent(test, venue, { reentry: true });
    const gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'North', eventId: event.id })).id);
    const [expected, inside, outside] = await newTickets(test, venue, { event, count: 3 });
    const unpaid = await newTicket(test, venue, { event, status: 'N', reservationStatus: 'U' });
    const cancelled = await newTicket(test, venue, { event, status: 'R' });
    await scan({ qrcode_data: inside!.code, gate }).expect(200);
    await scan({ qrcode_data: outside!.code }).expect(200);
    await scan({ qrcode_data: outside!.code, direction: 'exit' }, other).expect(200);
    const answer = await pack({ event: event.id }).expect(200);
    const { keys } = (await test.on(venue).get('/scan/keys/').set('Authorization', device.authorization).expect(200)).body;
    const key = createPublicKey({ key: keys.find(({ kid }: { kid: string }) => kid === answer.body.kid), format: 'jwk' });
    const signed = Buffer.from(`guichet-pack.1\n${answer.body.payload}`);
    expect(verify(null, signed, key, Buffer.from(answer.body.signature, 'base64url'))).toBe(true);
    const list = readPack(answer);
    expect(list).toMatchObject({
      schema: 2,
      full: true,
      event: { uuid: event.id, name: event.name, place: null, end: null, doors: null, closes: null, reentry: true, note: null, age: null },
      policy: 'record',
      keys,
      gates: [{ uuid: gate, name: 'North', types: null }],
      types: [{ uuid: event.priceId, price: 'Full price', note: null }],
      time_zone: venue.timeZone,
      mine: { device: device.id, types: null, end: null, holders: [] },
      lease_ms: null,
      counts: { expected: 3, admitted: 2, inside: 1, gates: [1], elsewhere: 0 },
      conflicts: [],
      count: 5,
    });
    expect(new Date(list.lease_end).getTime()).toBeGreaterThan(new Date(list.event.start).getTime() + 6 * 3_600_000);
    const tickets = ticketsOf(list);
    expect(tickets.size).toBe(5);
    const of = (id: string) => tickets.get(hashOf(list.salt, id));
    expect(of(expected!.id)).toMatchObject({ state: 0, type: 0, gate: 255, device: 255, transfers: 0, moment: 0 });
    expect(of(inside!.id)).toMatchObject({ state: 1, gate: 0 });
    expect(list.devices[of(inside!.id)!.device]).toEqual({ uuid: device.id, name: 'Door 1' });
    expect(Math.abs(of(inside!.id)!.moment - Date.now() / 1000)).toBeLessThan(120);
    expect(of(outside!.id)).toMatchObject({ state: 2, gate: 255 });
    expect(of(unpaid.id)).toMatchObject({ state: 3, group: 0 });
    expect(of(cancelled.id)).toMatchObject({ state: 5 });
    const groups = [expected, inside, outside].map((one) => of(one!.id)!.group);
    expect(new Set(groups).size).toBe(1);
    expect(groups[0]).toBeGreaterThan(0);
  });

  it('seals names so that only the code of the ticket opens its name', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event, firstName: 'Zoé' });
    await newTicket(test, venue, { event, firstName: 'Idalina' });
    const list = readPack(await pack({ event: event.id, names: 'sealed' }).expect(200));
    const tickets = ticketsOf(list);
    const entry = Buffer.from(tickets.get(hashOf(list.salt, ticket.id))!.sealed as string, 'base64url');
    const signature = Buffer.from(ticket.code.split(':')[1] as string, 'base64url');
    const info = Buffer.concat([Buffer.from('name'), entry.subarray(0, 4)]);
    const key = Buffer.from(hkdfSync('sha256', signature, Buffer.from(list.salt, 'base64url'), info, 32));
    const cipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(12)).setAuthTag(entry.subarray(-16));
    const name = Buffer.concat([cipher.update(entry.subarray(4, -16)), cipher.final()]).toString();
    expect(JSON.parse(name)).toEqual(['Zoé', 'Martin']);
    const plain = await pack({ event: event.id }).expect(200);
    expect(readPack(plain)).not.toHaveProperty('sealed');
    for (const secret of ['Zoé', 'Idalina', 'Martin', 'ada@example.org', ticket.id]) expect(plain.text).not.toContain(secret);
  });

  it('gives a delta with the tickets that changed, and 204 when none did', async () => {
    const event = await newEvent(test, venue);
    const tickets = await newTickets(test, venue, { event, count: 4 });
    const list = await full(event.id);
    expect((await pack({ event: event.id, after: list.position }).expect(204)).text).toBe('');
    await scan({ qrcode_data: tickets[1]!.code }).expect(200);
    const changed = await delta(event.id, list.position);
    expect(changed.full).toBe(false);
    // A list may repeat tickets that did not change, when other transactions of the server were open.
    expect([...ticketsOf(changed)].filter(([, { state }]) => state !== 0).map(([hash, { state }]) => [hash, state])).toEqual([
      [hashOf(list.salt, tickets[1]!.id), 1],
    ]);
    expect(changed.counts).toMatchObject({ expected: 4, admitted: 1, inside: 1 });
    expect(changed.count).toBe(4);
    await pack({ event: event.id, after: changed.position }).expect(204);
    await undo({ qrcode_data: tickets[1]!.code, reason: 'wrong door' }).expect(200);
    const again = await delta(event.id, changed.position);
    expect(ticketsOf(again).get(hashOf(list.salt, tickets[1]!.id))?.state).toBe(0);
    expect(new Set([...ticketsOf(again).values()].map(({ state }) => state))).toEqual(new Set([0]));
    await test.database.query(`update "${venue.schemaName}".reservation set status = 'C', cancel_reason = 'staff' where id = $1`, [
      tickets[0]!.reservationId,
    ]);
    expect([...ticketsOf(await delta(event.id, again.position)).values()].map(({ state }) => state)).toEqual([5, 5, 5, 5]);
  });

  it('misses no change of a transaction that runs while the list is made, also of a part of one', async () => {
    const event = await newEvent(test, venue);
    const [slow, quick] = await newTickets(test, venue, { event, count: 2 });
    const table = `"${venue.schemaName}".ticket`;
    const running = new pg.Client({ connectionString: await test.database.urlOf(venue) });
    await running.connect();
    await running.query(`begin; savepoint part; update ${table} set code_version = 1 where id = '${slow!.id}'`);
    await test.database.query(`update ${table} set code_version = 2 where id = $1`, [quick!.id]);
    const list = await full(event.id);
    expect([...ticketsOf(list).values()].map(({ transfers }) => transfers).toSorted()).toEqual([0, 2]);
    // What the list has already is no change, although the older transaction still runs.
    await pack({ event: event.id, after: list.position }).expect(204);
    await running.query('commit');
    await running.end();
    const changed = ticketsOf(await delta(event.id, list.position));
    expect(changed.get(hashOf(list.salt, slow!.id))?.transfers).toBe(1);
  });

  it('tells of changes of the event, its gates, rules and prices, and of tickets that are deleted', async () => {
    const event = await newEvent(test, venue);
    const [ticket] = await newTickets(test, venue, { event, count: 2 });
    let { position } = await full(event.id);
    const next = async () => {
      const list = await delta(event.id, position);
      ({ position } = list);
      await pack({ event: event.id, after: position }).expect(204);
      return list;
    };
    const gates = test.app.get(GatesService);
    const gate = await test.inside(venue, async () => (await gates.create({ name: 'South', eventId: event.id })).id);
    expect((await next()).gates.map(({ uuid }) => uuid)).toContain(gate);
    const rule = await test.inside(venue, async () => (await gates.allow({ gateId: gate, priceId: event.priceId })).id);
    expect((await next()).gates.find(({ uuid }) => uuid === gate)?.types).toEqual([0]);
    await test.inside(venue, () => gates.disallow(rule));
    expect((await next()).gates.find(({ uuid }) => uuid === gate)?.types).toBeNull();
    await test.database.query(
      `update "${venue.schemaName}".event set name = name || '!', door_note = 'red', minimum_age = 16 where id = $1`,
      [event.id],
    );
    expect((await next()).event).toMatchObject({ name: `${event.name}!`, note: 'red', age: 16 });
    await test.database.query(`update "${venue.schemaName}".price set door_note = 'stalls' where id = $1`, [event.priceId]);
    expect((await next())['types']).toMatchObject([{ note: 'stalls' }]);
    await test.database.query(`delete from "${venue.schemaName}".ticket where id = $1`, [ticket!.id]);
    expect((await next()).count).toBe(1);
  });

  it('answers 304 as long as the list is the same, whatever browsers add', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event });
    const first = await pack({ event: event.id }).expect(200);
    const tag = first.headers['etag'] as string;
    expect(tag).toMatch(/^W\//);
    const again = () => pack({ event: event.id }).set('If-None-Match', tag).set('Cache-Control', 'no-cache');
    expect((await again().expect(304)).text).toBe('');
    await scan({ qrcode_data: ticket.code }).expect(200);
    // A full list is shared for a second.
    let code = 304;
    while (code === 304) ({ status: code } = await again());
    expect(code).toBe(200);
  });

  it('answers 410 for positions that are too old, of another event, restored or unreadable', async () => {
    const event = await newEvent(test, venue);
    await newTicket(test, venue, { event });
    const elsewhere = await newEvent(test, venue);
    const { position } = await full(event.id);
    const [table, since, minute, rest] = position.split(/-(.*?)-(.*?)-(.*)/s) as [string, string, string, string];
    const dayAgo = (parseInt(minute, 36) - 24 * 60 - 2).toString(36);
    const gone = [
      'x',
      '',
      `${table}-${since}-${dayAgo}-${rest}`,
      `${Number(table) + 1}-${since}-${minute}-${rest}`,
      `${table}-${'9'.repeat(18)}-${minute}-${rest}`,
      (await full(elsewhere.id)).position,
    ];
    for (const after of gone) {
      expect((await pack({ event: event.id, after }).expect(410)).body).toMatchObject({ code: 'pack.position_gone', success: false });
    }
    // A position of the counts has no mark: everything since is listed.
    const counts = (await status(event.id).expect(200)).body as { position: string };
    await pack({ event: event.id, after: counts.position }).expect(200);
    await pack({ event: event.id, after: 'x'.repeat(61) }).expect(400);
    await pack({ event: event.id, after: position, wait: '26' }).expect(400);
    await pack({ event: event.id, names: 'plain' }).expect(400);
    expect((await pack({ event: randomUUID() }).expect(404)).body.code).toBe('event.unknown');
    expect((await pack({ event: randomUUID(), after: position }).expect(410)).body.code).toBe('pack.position_gone');
  });
});

describe('waiting for a change', () => {
  it('answers when a ticket moves, all waiting devices at once', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event });
    const { position } = await full(event.id);
    const mine = await full(event.id, other);
    const waiting = Promise.all([delta(event.id, position, 20), delta(event.id, mine.position, 20, other)]);
    await waitsFor(test, 2);
    const begun = performance.now();
    await scan({ qrcode_data: ticket.code }).expect(200);
    for (const list of await waiting) expect([...ticketsOf(list).values()].map(({ state }) => state)).toEqual([1]);
    // Without the message it would be the end of the wait.
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('answers 204 in time without a change, and to the older request of the same device', async () => {
    const event = await newEvent(test, venue);
    const { position } = await full(event.id);
    const begun = performance.now();
    await pack({ event: event.id, after: position, wait: '1' }).expect(204);
    expect(performance.now() - begun).toBeGreaterThan(900);
    const older = pack({ event: event.id, after: position, wait: '20' }).then(({ status: code }) => code);
    await waitsFor(test, 1);
    const newer = pack({ event: event.id, after: position, wait: '2' }).then(({ status: code }) => code);
    expect(await older).toBe(204);
    expect(await newer).toBe(204);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('wakes both devices of a double entry, and no other', async () => {
    const event = await newEvent(test, venue);
    const ticket = await newTicket(test, venue, { event });
    const third = await newDevice(test, venue, 'Third');
    await scan({ qrcode_data: ticket.code }).expect(200);
    const [mine, theirs, foreign] = await Promise.all([device, other, third].map((by) => full(event.id, by)));
    const waiting = [delta(event.id, mine!.position, 20), delta(event.id, theirs!.position, 20, other)];
    const untouched = pack({ event: event.id, after: foreign!.position, wait: '4' }, third).then(({ status: code }) => code);
    await waitsFor(test, 3);
    const line = { scan_id: randomUUID(), sequence: 0, ticket: ticket.id, verdict: 'admitted', mode: 'offline', clock_error_ms: 30 };
    await call('/scan/batch/', { lines: [JSON.stringify({ ...line, device_time: new Date().toISOString() })] }, other).expect(200);
    for (const list of await Promise.all(waiting)) {
      expect(list.conflicts).toMatchObject([
        {
          ticket_hash: Buffer.from(hashOf(list.salt, ticket.id), 'hex').toString('base64url'),
          reference: ticket.reservationId.slice(0, 8).toUpperCase(),
          first: { device_name: 'Door 1', gate: null, error_ms: 0 },
          later: { device_name: 'Balcony', gate: null, error_ms: 30 },
          decision: null,
        },
      ]);
    }
    expect(await untouched).toBe(204);
  });

  it('ends when the client leaves', async () => {
    const event = await newEvent(test, venue);
    const { position } = await full(event.id);
    const sent = request({
      port: test.port,
      path: `/scan/pack/?event=${event.id}&after=${position}&wait=20`,
      headers: { host: venue.host, authorization: device.authorization },
    });
    sent.on('error', () => undefined).end();
    await waitsFor(test, 1);
    sent.destroy();
    await waitsFor(test, 0);
  });

  it('ends at once when the server stops', async () => {
    const own = await startTestApp({ database: test.database });
    try {
      const event = await newEvent(test, venue);
      const ownPacks = packApi(() => ({ test: own, venue, device }));
      const { position } = await ownPacks.full(event.id);
      const waiting = ownPacks.pack({ event: event.id, after: position, wait: '25' }).then(({ status: code }) => code);
      await waitsFor(own, 1);
      const begun = performance.now();
      own.app.get(ServerStop).begin();
      expect(await waiting).toBe(204);
      // Also requests on connections that are still open.
      await ownPacks.pack({ event: event.id, after: position, wait: '25' }).expect(204);
      expect(performance.now() - begun).toBeLessThan(10_000);
    } finally {
      await own.close();
    }
  });
});
