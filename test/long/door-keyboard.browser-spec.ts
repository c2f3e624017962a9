import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { inLongRuns } from '../support/long-run.js';
import { newTeamCode } from '../support/team-codes.js';
import { openDoorPlace, type DoorPlace } from '../browser/door-places.js';
import { DoorPhone } from '../browser/door-phone.js';
import { Keyboard } from '../browser/keyboard.js';
import { pageFaults } from '../browser/page-faults.js';

let door: DoorPlace;
let phone: DoorPhone;
let keys: Keyboard;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await DoorPhone.open(await door.context(), door.camera);
  keys = new Keyboard(phone.page);
});
afterAll(() => door?.close());

/** Waits until the phone has all tickets: it decides by its list when a slow server does not answer in time. */
const hasAllTickets = async (): Promise<void> => phone.hasCountsOf((await door.api.status(door.event.id).expect(200)).body);

const action = (name: string, more = ''): string => `[data-action="${name}"]${more}`;

/** What axe finds, and what is wider than the screen. */
async function expectAccessible(screen: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await phone.page.screenshot({ path: `${folder}/door-${screen}.png` });
  expect([await pageFaults(phone.page), screen]).toEqual([[], screen]);
}

/** Of a keyboard scanner and of the phone. */
const layouts = [
  ['us', 'us'],
  ['us', 'french'],
  ['us', 'german'],
  ['french', 'french'],
  ['german', 'german'],
] as const;

describe('the scanner app by keyboard alone, without faults of access', () => {
  it('pairs by a typed code, and chooses event and gate', async () => {
    const { code } = await newTeamCode(door.test, door.tenant, { role: 'supervisor' });
    await phone.page.goto(`${door.origin}/door/`);
    await keys.reach('#code');
    await expectAccessible('pairing');
    await phone.page.keyboard.type(code.toLowerCase());
    await phone.page.keyboard.press('Enter');
    await phone.screen('choosing');
    // Verified to fail without the focus of `Title`: the body has it.
    await keys.focused('h1');
    await phone.page.locator(action('open-event')).first().waitFor();
    await expectAccessible('choosing');
    await keys.go(action('open-event', `[data-event="${door.event.id}"]`));
    await phone.screen('gate');
    await keys.focused('h1');
    await expectAccessible('gate');
    await keys.go(action('choose-gate', `[data-gate="${door.gates.main}"]`));
    await phone.live();
    await keys.focused('h1');
    await phone.network('live');
    await expectAccessible('scanning');
  });

  it.each(inLongRuns(layouts, layouts.slice(3)))(
    '13: reads a keyboard scanner for a %s layout on a phone with a %s one, without a focused field',
    async (scanner, keyboard) => {
      const ticket = await door.ticket();
      await hasAllTickets();
      await phone.page.evaluate('document.activeElement.blur()');
      expect(await phone.scanByKeys(ticket.code, scanner, keyboard)).toMatchObject({ verdict: 'go' });
      // `just` for some seconds, which a slow machine may need.
      const again = await phone.scanByKeys(ticket.code, scanner, keyboard);
      expect(['just', 'already_scanned']).toContain(again.reason || again.verdict);
      await eventually(async () => expect(await door.movements(ticket)).toEqual(['accepted']), { timeout: 20_000 });
    },
  );

  it('shows every kind of result', async () => {
    const used = await door.ticket({ status: 'S' });
    const [fresh, twice] = [await door.ticket(), await door.ticket()];
    const [first] = await door.tickets(3);
    await hasAllTickets();
    for (const [name, code, verdict] of [
      ['go', fresh.code, 'go'],
      ['just', twice.code, 'just'],
      ['stop', used.code, 'stop'],
      ['group', first!.code, 'go'],
    ] as const) {
      // The second scan comes as soon as it can: the result is `just` for some seconds only.
      if (name === 'just') await phone.scanByKeys(code);
      expect((await phone.scanByKeys(code)).verdict).toBe(verdict);
      await expectAccessible(`result-${name}`);
    }
    await keys.go(action('next'));
    await phone.page.locator('section.result').waitFor({ state: 'detached' });
  });

  it('searches, takes a scan back, turns to exits and closes every sheet with Escape', async () => {
    const ticket = await door.ticket();
    await keys.go(action('search'));
    // The field has the focus. A person types the printed reference more slowly than a scanner.
    await phone.page.locator('#words:focus').waitFor();
    await phone.page.keyboard.type(ticket.reservationId.slice(0, 8));
    await phone.page.keyboard.press('Enter');
    await phone.page.locator(action('choose-ticket')).first().waitFor();
    await expectAccessible('search');
    await phone.forget();
    await keys.go(action('choose-ticket'));
    expect((await phone.next()).verdict).toBe('go');
    await keys.go(action('undo'));
    await phone.page.locator('section.result').waitFor({ state: 'detached' });
    expect((await door.api.check({ qrcode_data: ticket.code }).expect(200)).body.may_enter).toBe(true);
    // Where the result was opened.
    await keys.focused(action('search'));
    await keys.go(action('exit'));
    await phone.page.locator('[data-direction="exit"]').waitFor();
    await keys.focused(action('exit'));
    await keys.go(action('entry'));
    await keys.go(action('settings'));
    const [help] = await Promise.all([phone.page.context().waitForEvent('page'), keys.go(action('guide'))]);
    await help.locator('h1').waitFor();
    expect(new URL(help.url()).pathname).toMatch(/^\/door\/guide\.en\./);
    await help.close();
    await keys.focused(action('guide'));
    await phone.page.keyboard.press('Escape');
    await keys.focused(action('settings'));
    for (const sheet of ['settings', 'recent', 'gates']) {
      await keys.go(action(sheet));
      await phone.page.locator(`[data-sheet="${sheet}"]`).waitFor();
      await expectAccessible(sheet);
      await phone.page.keyboard.press('Escape');
      await phone.page.locator(`[data-sheet="${sheet}"]`).waitFor({ state: 'detached' });
      await keys.focused(action(sheet));
    }
    expect(phone.faults).toEqual([]);
  });
});
