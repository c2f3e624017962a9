import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTeamCode } from '../support/team-codes.js';
import { openDoorPlace, type DoorPlace } from './door-places.js';
import { DoorPhone } from './door-phone.js';
import { pageFaults } from './page-faults.js';

let door: DoorPlace;
let phone: DoorPhone;

beforeAll(async () => {
  door = await openDoorPlace();
  phone = await DoorPhone.open(await door.context(), door.camera);
});
afterAll(() => door?.close());

/** Presses Tab until the element has the focus, and sees it. */
async function reach(selector: string): Promise<void> {
  await phone.page.locator(selector).first().waitFor();
  const look = `(() => {
    const { activeElement: at } = document;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    return { there: at.matches(${JSON.stringify(selector)}), shown: at === document.body || visible ? '' : at.outerHTML.slice(0, 200) };
  })()`;
  for (let tabs = 0; tabs < 40; tabs += 1) {
    const { there, shown } = await phone.page.evaluate<{ there: boolean; shown: string }>(look);
    expect(shown).toBe('');
    if (there) return;
    await phone.page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${selector}`);
}

/** Reaches the element by Tab, then presses Enter. */
async function go(selector: string): Promise<void> {
  await reach(selector);
  await phone.page.keyboard.press('Enter');
}

/** Waits until this element has the focus: a person who uses the keyboard or hears the screen goes on from there. */
const focused = (selector: string): Promise<void> => phone.page.locator(`${selector}:focus`).waitFor();

const action = (name: string, more = ''): string => `[data-action="${name}"]${more}`;

/** What axe finds, and what is wider than the screen. */
async function expectAccessible(screen: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await phone.page.screenshot({ path: `${folder}/door-${screen}.png` });
  expect(await pageFaults(phone.page), screen).toEqual([]);
}

describe('the scanner app by keyboard alone, without faults of access', () => {
  it('pairs by a typed code, and chooses event and gate', async () => {
    const { code } = await newTeamCode(door.test, door.tenant, { role: 'supervisor' });
    await phone.page.goto(`${door.origin}/door/`);
    await reach('#code');
    await expectAccessible('pairing');
    await phone.page.keyboard.type(code.toLowerCase());
    await phone.page.keyboard.press('Enter');
    await phone.screen('choosing');
    // Verified to fail without the focus of `Title`: the body has it.
    await focused('h1');
    await phone.page.locator(action('open-event')).first().waitFor();
    await expectAccessible('choosing');
    await go(action('open-event', `[data-event="${door.event.id}"]`));
    await phone.screen('gate');
    await focused('h1');
    await expectAccessible('gate');
    await go(action('choose-gate', `[data-gate="${door.gates.main}"]`));
    await phone.live();
    await focused('h1');
    await phone.network('live');
    await expectAccessible('scanning');
  });

  it.each([
    ['us', 'us'],
    ['us', 'french'],
    ['us', 'german'],
    ['french', 'french'],
    ['german', 'german'],
  ] as const)(
    '13: reads a keyboard scanner for a %s layout on a phone with a %s one, without a focused field',
    async (scanner, keyboard) => {
      const ticket = await door.ticket();
      await phone.page.evaluate('document.activeElement.blur()');
      expect(await phone.scanByKeys(ticket.code, scanner, keyboard)).toMatchObject({ verdict: 'go' });
      expect(await phone.scanByKeys(ticket.code, scanner, keyboard)).toMatchObject({ verdict: 'just' });
      expect(await door.movements(ticket)).toEqual(['accepted']);
    },
  );

  it('shows every kind of result', async () => {
    const used = await door.ticket({ status: 'S' });
    const fresh = await door.ticket();
    const [first] = await door.tickets(3);
    for (const [name, code, verdict] of [
      ['go', fresh.code, 'go'],
      ['just', fresh.code, 'just'],
      ['stop', used.code, 'stop'],
      ['group', first!.code, 'go'],
    ] as const) {
      expect((await phone.scanByKeys(code)).verdict).toBe(verdict);
      await expectAccessible(`result-${name}`);
    }
    await go(action('next'));
    await phone.page.locator('section.result').waitFor({ state: 'detached' });
  });

  it('searches, takes a scan back, turns to exits and closes every sheet with Escape', async () => {
    const ticket = await door.ticket();
    await go(action('search'));
    // The field has the focus. A person types the printed reference more slowly than a scanner.
    await phone.page.locator('#words:focus').waitFor();
    await phone.page.keyboard.type(ticket.reservationId.slice(0, 8));
    await phone.page.keyboard.press('Enter');
    await phone.page.locator(action('choose-ticket')).first().waitFor();
    await expectAccessible('search');
    await phone.forget();
    await go(action('choose-ticket'));
    expect((await phone.next()).verdict).toBe('go');
    await go(action('undo'));
    await phone.page.locator('section.result').waitFor({ state: 'detached' });
    expect((await door.api.check({ qrcode_data: ticket.code }).expect(200)).body.may_enter).toBe(true);
    // Where the result was opened.
    await focused(action('search'));
    await go(action('exit'));
    await phone.page.locator('[data-direction="exit"]').waitFor();
    await focused(action('exit'));
    await go(action('entry'));
    await go(action('settings'));
    const [help] = await Promise.all([phone.page.context().waitForEvent('page'), go(action('guide'))]);
    await help.locator('h1').waitFor();
    expect(new URL(help.url()).pathname).toMatch(/^\/door\/guide\.en\./);
    await help.close();
    await focused(action('guide'));
    await phone.page.keyboard.press('Escape');
    await focused(action('settings'));
    for (const sheet of ['settings', 'recent', 'gates']) {
      await go(action(sheet));
      await phone.page.locator(`[data-sheet="${sheet}"]`).waitFor();
      await expectAccessible(sheet);
      await phone.page.keyboard.press('Escape');
      await phone.page.locator(`[data-sheet="${sheet}"]`).waitFor({ state: 'detached' });
      await focused(action(sheet));
    }
    expect(phone.faults).toEqual([]);
  });
});
