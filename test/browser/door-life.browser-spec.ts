import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DoorPhone } from './door-phone.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';
import { comeBack, hide, tricks } from './door-tricks.js';
import { inLongRuns } from '../support/long-run.js';
import { newTeamCode } from '../support/team-codes.js';
import { until } from '../support/until.js';

let door: DoorPlace;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  door = await openDoorPlace();
});
afterAll(() => door?.close());
// All phones see the same camera.
afterEach(async () => {
  await door.camera.clear();
  for (const context of contexts.splice(0)) await context.close();
});

const say = (text: string): void => void process.stderr.write(`door: ${text}\n`);

async function newPhone(...scripts: string[]): Promise<DoorPhone> {
  const context = await door.context();
  contexts.push(context);
  const phone = await DoorPhone.open(context, door.camera);
  for (const script of scripts) await phone.page.addInitScript(script);
  return phone;
}

/** Opens a door: pairs, chooses the event and the gate. */
async function open(phone: DoorPhone): Promise<DoorPhone> {
  await phone.pair(await door.pairingLink());
  await phone.choose(door.event.id, door.gates.main);
  await phone.network('live', 0);
  return phone;
}

const rows = async (): Promise<string> => {
  const tables = ['scan_log', 'scan_line', 'scan_conflict', 'quarantine_line'];
  const counts = tables.map((table) => `(select count(*) from "${door.tenant.schemaName}".${table}) as ${table}`);
  const [found] = await door.test.database.query(`select ${counts.join(', ')}`);
  const { expected, admitted, inside } = (await door.api.status(door.event.id).expect(200)).body;
  return JSON.stringify([found, { expected, admitted, inside }]);
};

describe('the first minute', () => {
  it('goes from a printed code to a practice scan, which changes nothing on the server', async () => {
    const phone = await newPhone(tricks.lowBattery);
    const { code } = await newTeamCode(door.test, door.tenant);
    const before = await rows();
    const began = Date.now();
    await phone.page.goto(`${door.origin}/door/#pair=${code}`);
    await phone.press('pair');
    await phone.screen('choosing');
    await phone.choose(door.event.id, door.gates.main);
    await phone.press('settings');
    // The menu closes then.
    await phone.page.locator('input[name="practice"]').click();
    expect((await phone.show('GUICHET-PRACTICE:GO')).verdict).toBe('go');
    const seconds = (Date.now() - began) / 1000;
    say(`from the printed code to the first practice scan: ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(60);
    // A real ticket is none here, and without a network practice is the same.
    const ticket = await door.ticket();
    const sold = await rows();
    expect(await phone.show(ticket.code)).toMatchObject({ verdict: 'stop', reason: 'malformed' });
    door.proxy.set('refuse');
    await phone.press('next');
    await phone.press('practise-group');
    expect((await phone.next()).verdict).toBe('go');
    await phone.press('admit-group');
    expect((await phone.next()).verdict).toBe('go');
    await phone.page.locator('[data-network="offline"][data-unsent="0"]').waitFor();
    await phone.inside(0);
    expect(await phone.page.locator('.battery').first().innerText()).toContain('12');
    door.proxy.set('pass');
    await phone.network('live', 0);
    expect(await rows()).toBe(sold);
    expect(JSON.parse(before)[0]).toEqual(JSON.parse(sold)[0]);
    await phone.dismiss();
    await phone.press('end-practice');
    // The printed code opens the app again and again: the phone is paired with it, and is asked nothing.
    await phone.page.goto(`${door.origin}/door/#pair=${code}`);
    await phone.live();
    expect(await phone.page.locator('dialog').count()).toBe(0);
    // Another code is a question.
    const other = await newTeamCode(door.test, door.tenant, { name: 'Terrace' });
    await phone.page.evaluate(`location.hash = 'pair=${other.code}'`);
    await phone.press('keep-pairing');
    await phone.page.evaluate(`location.hash = 'pair=${other.code}'`);
    await phone.press('pair-again');
    await phone.screen('choosing');
    await phone.page.locator('header.top .place small', { hasText: /^Terrace\b/ }).waitFor();
    const devices = `select name from "${door.tenant.schemaName}".scanning_device where name like 'Main door%'`;
    expect(await door.test.database.query(devices)).toHaveLength(1);
    expect(phone.faults).toEqual([]);
  }, 60_000);

  it('pairs inside the app, by its camera or by typing the short code', async () => {
    const { code } = await newTeamCode(door.test, door.tenant, { name: 'Typed', places: 2 });
    const typed = await newPhone();
    await typed.page.goto(`${door.origin}/door/`);
    await typed.page.locator('#code').fill(` ${code.toLowerCase()} `);
    await typed.press('pair-typed');
    await typed.screen('choosing');
    const read = await newPhone();
    await read.page.goto(`${door.origin}/door/`);
    await read.press('scan-pairing');
    await door.camera.show(`${door.origin}/door/#pair=${code}`);
    await read.screen('choosing');
    await door.camera.clear();
  }, 60_000);
});

const phones = [
  ['does not tell its battery', 'Object.defineProperty(navigator, "getBattery", { value: undefined })', 'on'],
  ['says that it has no charger', tricks.lowBattery, 'resting'],
] as const;

describe('a phone at the door', () => {
  it.each(inLongRuns<keyof typeof tricks>(['noFrames', 'emptyFrames', 'colourFrames'], ['noFrames']))(
    'reads codes where the browser does not hand out grey frames: %s',
    async (trick) => {
      const phone = await open(await newPhone(tricks[trick]));
      const ticket = await door.ticket();
      expect((await phone.show(ticket.code)).verdict).toBe('go');
      expect(phone.faults).toEqual([]);
    },
  );

  it('holds the screen on, and again after it was hidden; the menu says whether the browser keeps its data', async () => {
    const phone = await open(await newPhone(tricks.wakeLocks, `navigator.storage.persist = async () => true;`));
    const locks = (): Promise<boolean[]> => phone.page.evaluate<boolean[]>('window.wakeLocks.map(({ released }) => released)');
    await until(locks, (all) => all.join() === 'false');
    await hide(phone.page);
    await phone.page.evaluate('window.wakeLocks[0].released = true');
    await comeBack(phone.page);
    await until(locks, (all) => all.join() === 'true,false');
    await phone.live();
    await phone.press('settings');
    await phone.page.getByText('The browser keeps the data.').waitFor();
    await phone.press('leave-event');
    await until(locks, (all) => all.join() === 'true,true');
  }, 60_000);

  it('is written by one tab: another one waits, and takes over on a tap', async () => {
    const phone = await open(await newPhone());
    const [first, second, third] = [await door.ticket(), await door.ticket(), await door.ticket()];
    await phone.page.locator(`.counts`).waitFor();
    const other = await DoorPhone.open(phone.page.context(), door.camera);
    await other.page.goto(`${door.origin}/door/`);
    await other.page.locator('[data-action="take-over"]').waitFor();
    expect((await phone.show(first.code)).verdict).toBe('go');
    await other.press('take-over');
    await other.live();
    await phone.screen('starting');
    await phone.page.locator('[data-action="take-over"]').waitFor();
    await until(
      async () => (await door.api.status(door.event.id).expect(200)).body.admitted,
      (admitted) => admitted > 0,
    );
    expect((await other.show(second.code)).verdict).toBe('go');
    // And back: the tab that was ended loads again.
    await phone.press('take-over');
    await phone.page.locator('[data-action="take-over"]').waitFor();
    await phone.press('take-over');
    await phone.live();
    await phone.forget();
    expect((await phone.show(third.code)).verdict).toBe('go');
    for (const ticket of [first, second, third]) expect(await door.movements(ticket)).toEqual(['accepted']);
    expect([...phone.faults, ...other.faults]).toEqual([]);
  }, 90_000);

  it.each(inLongRuns(phones, phones.slice(1)))(
    'rests its camera at a kiosk only without a charger: a phone that %s',
    async (_, script, camera) => {
      const phone = await newPhone(script);
      await phone.page.clock.install();
      await phone.pair(await door.pairingLink('Kiosk', 'kiosk'));
      await phone.page.locator('[data-action="open-event"]').first().click();
      await phone.screen('gate');
      await phone.page.locator('[data-action="choose-gate"]').first().click();
      await phone.page.locator('.viewfinder.user[data-camera="on"]').waitFor();
      await phone.page.clock.fastForward(61_000);
      await phone.page.waitForTimeout(1_000);
      await phone.page.locator(`[data-camera="${camera}"]`).waitFor();
    },
    60_000,
  );

  it('at a kiosk shows the front camera, at the gate that was chosen, and welcomes each ticket once', async () => {
    // The menu closes after a second and a half, not after half a minute.
    const phone = await newPhone(`(() => {
      const wait = setTimeout;
      window.setTimeout = (work, ms, ...more) => wait(work, ms === 30000 ? 1500 : ms, ...more);
    })();`);
    await phone.pair(await door.pairingLink('Kiosk', 'kiosk'));
    await phone.page.locator('[data-action="open-event"]').first().click();
    await phone.screen('gate');
    await phone.page.locator(`[data-action="choose-gate"][data-gate="${door.gates.balcony}"]`).click();
    await phone.screen('kiosk');
    await phone.page.locator('.viewfinder.user[data-camera="on"]').waitFor();
    const ticket = await door.ticket();
    await door.camera.show(ticket.code);
    await phone.page.locator('[data-face="go"]').waitFor();
    await door.camera.clear();
    await phone.page.waitForTimeout(1_700);
    // Somebody else with a copy of the code.
    await door.camera.show(ticket.code);
    await phone.page.locator('[data-verdict="just"][data-face="ask"]', { hasText: 'Please ask the team' }).waitFor();
    await door.camera.clear();
    expect(await door.movements(ticket)).toEqual(['accepted']);
    await phone.page.locator('section.result').click();
    // Guests can open the menu. What ends the kiosk is not in it, and it closes by itself.
    await phone.press('settings');
    await phone.page.locator('[data-sheet="settings"] [name="sound"]').waitFor();
    for (const part of ['[name="practice"]', '[data-action="leave-event"]', '[data-action="unpair"]'])
      expect(await phone.page.locator(part).count()).toBe(0);
    await phone.page.locator('[data-sheet="settings"]').waitFor({ state: 'detached' });
    await phone.page.reload();
    await phone.screen('kiosk');
  }, 60_000);
});
