import { DeviceCareService, ScanningDevicesService, TeamCodesService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { newTeamCode, pairPhone } from '../support/team-codes.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_PAIRING: 'off' } });
  venue = await test.newTenant({ language: 'en' });
  staff = await staffOf(test, venue);
});
afterAll(() => test.close());

const devices = <Result>(work: (service: ScanningDevicesService) => Promise<Result>): Promise<Result> =>
  test.inside(venue, () => work(test.app.get(ScanningDevicesService)));
const taken = async (id: string): Promise<number> =>
  (await test.inside(venue, () => test.app.get(TeamCodesService).overview({ id })))[0]!.taken;
/** Pairs another phone. @returns its device */
const paired = async (code: string): Promise<string> => (await pairPhone(test, venue, code).expect(200)).body.device_uuid;
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    ({ code }: { code?: string }) => code ?? 'failed',
  );

describe('the places of a team code', () => {
  it('are not exceeded by devices that become active again', async () => {
    const { id, code } = await newTeamCode(test, venue, { places: 1 });
    const first = await paired(code);
    await devices((service) => service.archive(first));
    const second = await paired(code);
    for (const act of [() => devices((service) => service.restore(first)), () => devices((service) => service.renew(first))])
      await expect(act()).rejects.toMatchObject({ code: 'device.no_place', status: 409 });
    expect(await taken(id)).toBe(1);
    // A wiped device takes no place either: a new code for it needs one.
    await test.inside(venue, () => test.app.get(DeviceCareService).wipe(second));
    await devices((service) => service.restore(first));
    await expect(devices((service) => service.renew(second))).rejects.toMatchObject({ code: 'device.no_place' });
    // Who has a place keeps it.
    expect(await devices((service) => service.renew(first))).toMatchObject({ deviceId: first });
    expect(await devices((service) => service.restore(first))).toBe(true);
    expect(await taken(id)).toBe(1);
    await test.inside(venue, () => test.app.get(TeamCodesService).change(id, { places: 2 }));
    expect(await devices((service) => service.renew(second))).toMatchObject({ deviceId: second });
    expect(await taken(id)).toBe(2);
  });

  // Without the lock on the code, several of them take the last place.
  it('are given one after the other when staff restore devices and phones pair at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, code } = await newTeamCode(test, venue, { places: 4 });
      const phones = await Promise.all(Array.from({ length: 4 }, () => paired(code)));
      for (const phone of phones) await devices((service) => service.archive(phone));
      for (let kept = 0; kept < 3; kept += 1) await paired(code);
      const outcomes = await Promise.all([
        ...phones.map((phone, at) => outcome(devices<unknown>((service) => (at % 2 ? service.restore(phone) : service.renew(phone))))),
        ...Array.from({ length: 2 }, async () => ((await pairPhone(test, venue, code)).status === 200 ? 'done' : 'pairing.full')),
      ]);
      expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
      expect(outcomes.filter((one) => one === 'device.no_place' || one === 'pairing.full')).toHaveLength(5);
      expect(await taken(id)).toBe(4);
    }
  });

  it('that are gone are named to staff in the panel', async () => {
    const { code } = await newTeamCode(test, venue, { places: 1 });
    const first = await paired(code);
    await staff.act('devices', first, 'archive');
    await paired(code);
    const answer = await staff.act('devices', first, 'restore');
    expect(answer).toMatchObject({
      notice: { type: 'error', message: expect.stringMatching(/^Other phones took all places of the team code of this device \(1\)/) },
    });
    expect((await staff.look('devices', first)).record!.params['state']).toBe('archived');
  });
});
