import { randomUUID } from 'node:crypto';
import { PricesService } from '#catalogue';
import { DeviceCareService, DoorBoardService, GatesService, ScanningDevicesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDevice, newEvent, newTicket, type PairedDevice } from '../support/builders.js';
import { packApi, readPack, type Pack } from '../support/packs.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let device: PairedDevice;
let devices: PairedDevice[];
const phones = new Map<PairedDevice, string>();

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  devices = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => newDevice(test, venue, `Door ${number}`)));
  device = devices[0]!;
  for (const one of devices) phones.set(one, randomUUID());
});
afterAll(() => test.close());

const { pack } = packApi(() => ({ test, venue, device }));
const ask = async (event: string, by: PairedDevice, query: Record<string, string> = {}): Promise<Pack> =>
  readPack(await pack({ event, holder: phones.get(by)!, ...query }, by).expect(200));
const shown = ({ mine }: Pack): unknown => [mine.types, mine.holders.map(({ type, device_name: name }) => [type, name])];
/** An event with tickets of so many prices, where one device lets in. */
async function eventWith(prices: number) {
  const event = await newEvent(test, venue, { cutOffPolicy: 'one_device' });
  const [price] = await test.database.query<{ product_id: string }>(`select product_id from "${venue.schemaName}".price where id = $1`, [
    event.priceId,
  ]);
  const ids = [event.priceId];
  for (let at = 1; at < prices; at += 1) {
    const input = { productId: price!.product_id, name: `Price ${at}`, amount: '5' };
    ids.push((await test.inside(venue, () => test.app.get(PricesService).create(input))).id);
  }
  for (const priceId of ids) await newTicket(test, venue, { event: { id: event.id, priceId } });
  return { ...event, prices: ids };
}
const setEnd = (event: string, end: string) =>
  test.database.query(`update "${venue.schemaName}".door_lease set ends_at = now() + $2::interval where event_id = $1`, [event, end]);

describe('events where every device lets in', () => {
  it('give everything to everybody, for no time', async () => {
    const event = await newEvent(test, venue);
    await newTicket(test, venue, { event });
    for (const by of devices.slice(0, 2)) {
      const list = await ask(event.id, by);
      expect(list.mine).toEqual({ device: by.id, types: null, end: null, holders: [] });
      expect(list.lease_ms).toBeNull();
    }
  });
});

describe('events where one device lets in', () => {
  it('give each type to one device for an hour, and tell the others who has it', async () => {
    const event = await eventWith(2);
    const gate = await test.inside(venue, async () => (await test.app.get(GatesService).create({ name: 'Main door' })).id);
    const [first, other] = devices as [PairedDevice, PairedDevice];
    const list = await ask(event.id, first, { gate });
    expect(list.policy).toBe('one_device');
    expect(shown(list)).toEqual([[0, 1], []]);
    expect(list.lease_ms).toBeGreaterThan(59.5 * 60_000);
    expect(list.lease_ms).toBeLessThanOrEqual(60 * 60_000);
    const others = await ask(event.id, other);
    expect(others.mine).toMatchObject({ types: [], end: null });
    expect(others.mine.holders).toEqual([0, 1].map((type) => ({ type, device_name: 'Door 1', gate: 'Main door' })));
    expect(others.lease_ms).toBeNull();
    // An app that does not name its phone gets nothing.
    const unnamed = readPack(await pack({ event: event.id }, first).expect(200));
    expect(unnamed.mine.types).toEqual([]);
    await pack({ event: event.id, holder: 'phone' }, first).expect(400);
    const board = await test.inside(venue, () => test.app.get(DoorBoardService).of(event.id));
    expect(board!.leases).toHaveLength(2);
    expect(board!.leases).toMatchObject([
      { price: 'Full price', device: 'Door 1', deviceId: first.id, gate: 'Main door' },
      { price: 'Price 1', device: 'Door 1' },
    ]);
  });

  it('give a type to one of six devices that ask at once, first and after the time of another device', async () => {
    // Verified to fail without the condition of the update.
    for (let round = 0; round < 4; round += 1) {
      const event = await eventWith(2);
      for (const mine of [devices, devices.slice(3)]) {
        // The list itself is made before, so that the statements meet.
        const { position } = await ask(event.id, device, { holder: randomUUID(), gate: randomUUID() });
        await setEnd(event.id, '-2 minutes');
        const locks = `select 1 from "${venue.schemaName}".door_lease where event_id = $1 for update`;
        const answers = await test.database.race(locks, [event.id], () =>
          Promise.all(mine.map((by) => pack({ event: event.id, after: position, holder: phones.get(by)! }, by))),
        );
        const lists = answers.filter(({ status }) => status === 200).map(readPack);
        for (const type of [0, 1]) expect(lists.filter(({ mine: { types } }) => types?.includes(type))).toHaveLength(1);
      }
    }
  });

  it('give a type to one of six devices when nobody had it before', async () => {
    for (let round = 0; round < 4; round += 1) {
      const event = await eventWith(3);
      const lists = await Promise.all(devices.map((by) => ask(event.id, by)));
      for (const type of [0, 1, 2]) expect(lists.filter(({ mine: { types } }) => types?.includes(type))).toHaveLength(1);
    }
  });

  it('keep the time of a device that is locked, wiped, archived or paired with another phone', async () => {
    const event = await eventWith(1);
    const [other] = devices as [PairedDevice];
    const lost = await newDevice(test, venue, 'Lost phone');
    phones.set(lost, randomUUID());
    expect(shown(await ask(event.id, lost))).toEqual([[0], []]);
    const isLost = async (): Promise<void> => expect(shown(await ask(event.id, other))).toEqual([[], [[0, 'Lost phone']]]);
    await isLost();
    expect(shown(await ask(event.id, lost, { holder: randomUUID() }))).toEqual([[], [[0, 'Lost phone']]]);
    const inVenue = <Value>(work: () => Promise<Value>): Promise<Value> => test.inside(venue, work);
    await inVenue(() => test.app.get(DeviceCareService).lock(lost.id));
    await isLost();
    await inVenue(() => test.app.get(DeviceCareService).wipe(lost.id));
    await isLost();
    await inVenue(() => test.app.get(ScanningDevicesService).archive(lost.id));
    await isLost();
    // Its time is over, but its clock may be late.
    await setEnd(event.id, '-30 seconds');
    expect(shown(await ask(event.id, other))).toEqual([[], []]);
    await setEnd(event.id, '-61 seconds');
    expect(shown(await ask(event.id, other))).toEqual([[0], []]);
  });

  it('give the whole time again to a device in contact, and tell it at once', async () => {
    const event = await eventWith(1);
    const { position, mine } = await ask(event.id, device);
    const query = { event: event.id, after: position, holder: phones.get(device)! };
    await pack(query).expect(204);
    await setEnd(event.id, '56 minutes');
    const again = await ask(event.id, device, { after: position });
    expect(again.lease_ms).toBeLessThan(56.1 * 60_000);
    await setEnd(event.id, '54 minutes');
    const renewed = await ask(event.id, device, { after: again.position });
    expect(renewed.lease_ms).toBeGreaterThan(59 * 60_000);
    expect(Date.parse(renewed.mine.end!)).toBeGreaterThan(Date.parse(mine.end!) - 1000);
    await pack({ ...query, after: renewed.position }).expect(204);
  });

  it('leave types that may not pass the gate of a device to others', async () => {
    const event = await eventWith(2);
    const gates = test.app.get(GatesService);
    const balcony = await test.inside(venue, async () => {
      const { id } = await gates.create({ name: 'Balcony', eventId: event.id });
      await gates.allow({ gateId: id, priceId: event.prices[1]! });
      return id;
    });
    const [first, other] = devices as [PairedDevice, PairedDevice];
    expect(shown(await ask(event.id, first, { gate: balcony }))).toEqual([[1], []]);
    expect(shown(await ask(event.id, other))).toEqual([[0], [[1, 'Door 1']]]);
  });
});
