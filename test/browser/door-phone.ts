import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { CodePicture } from '../support/door/code-pictures.js';
import type { FakeCamera } from '../support/door/fake-camera.js';
import { keysOf, type KeyboardLayout } from '../support/door/keyboard-layouts.js';
import { until } from '../support/until.js';

/** One result as the person at the door saw it. */
export interface SeenResult {
  readonly verdict: string;
  readonly reason: string;
  readonly scan: string;
  readonly decidedBy: string;
  readonly provisional: boolean;
  readonly corrected: boolean;
  /** All words of the card. */
  readonly text: string;
  /** `performance.now()` of the page in the frame after the card was painted. */
  readonly at: number;
  /** `performance.now()` of the page when the last Enter of a keyboard scanner was pressed; 0: never. */
  readonly asked: number;
}

export const phoneSize = { width: 390, height: 844 };

/** Records every result that the app shows, because results leave the screen by themselves. */
const recorder = `window.seenResults = [];
  (() => {
    let last = '', asked = 0;
    addEventListener('keydown', ({ key, timeStamp }) => { if (key === 'Enter') asked = timeStamp; }, true);
    const look = () => {
      const card = document.querySelector('section.result[data-verdict]');
      if (!card) { last = ''; return; }
      const { verdict, reason, scan, decidedBy, provisional, corrected } = card.dataset;
      const now = JSON.stringify([verdict, reason, scan, decidedBy, provisional, corrected]);
      if (now === last) return;
      last = now;
      requestAnimationFrame(() => setTimeout(() => window.seenResults.push({ verdict, reason, scan, decidedBy,
        provisional: provisional === 'true', corrected: corrected === 'true', text: card.innerText, at: performance.now(), asked })));
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  })()`;

const longest = 30_000;

/** The scanner app on one phone. */
export class DoorPhone {
  /** Console messages, script errors and blocked content; every entry is an error. */
  readonly faults: string[] = [];
  private session: CDPSession | undefined;
  /** Results that `next` returned. */
  private read = 0;

  private constructor(
    readonly page: Page,
    private readonly camera: FakeCamera | undefined,
  ) {}

  /** Opens a page for the app. @param context has the size of a phone; one context is one phone */
  static async open(context: BrowserContext, camera?: FakeCamera): Promise<DoorPhone> {
    const phone = new DoorPhone(await context.newPage(), camera);
    await phone.page.addInitScript(recorder);
    await phone.page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      console.error('refused ' + event.violatedDirective + ': ' + event.blockedURI))`);
    phone.page.on('pageerror', (error) => phone.faults.push(`script: ${error.message}`));
    phone.page.on('console', (message) => {
      // Chromium reports each request that fails; the app has to live with that.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) phone.faults.push(message.text());
    });
    return phone;
  }

  /** Opens a pairing link and taps. */
  async pair(link: string): Promise<void> {
    await this.page.goto(link);
    await this.press('pair');
    await this.screen('choosing');
  }

  /** Chooses the event and the gate, and waits for the live picture. @param gate null: none */
  async choose(eventId: string, gate: string | null): Promise<void> {
    await this.page.locator(`[data-action="open-event"][data-event="${eventId}"]`).click();
    await this.screen('gate');
    await this.page.locator(`[data-action="choose-gate"][data-gate="${gate ?? ''}"]`).click();
    await this.live();
  }

  /** Waits for the scanning screen with a live picture. */
  async live(): Promise<void> {
    await this.screen('scanning');
    await this.page.locator('[data-camera="on"]').waitFor({ timeout: longest });
  }

  async screen(name: string): Promise<void> {
    await this.page.locator(`[data-screen="${name}"]`).waitFor({ timeout: longest });
  }

  /** Waits for the words about the network. */
  async network(kind: 'live' | 'slow' | 'offline', unsent?: number): Promise<void> {
    const mark = unsent === undefined ? '' : `[data-unsent="${unsent}"]`;
    await this.page.locator(`[data-network="${kind}"]${mark}`).waitFor({ timeout: longest });
  }

  press(action: string): Promise<void> {
    return this.page.locator(`[data-action="${action}"]`).last().click({ timeout: longest });
  }

  /** Holds a code before the camera until its result is shown, then takes it away. @returns the result */
  async show(code: CodePicture | string): Promise<SeenResult> {
    if (!this.camera) throw new Error('This phone has no camera');
    const isNew = await this.afterNow();
    await this.camera.show(code);
    const result = await this.next(isNew);
    await this.camera.clear();
    return result;
  }

  /** Waits for the next result that fulfils the condition. */
  async next(is: (seen: SeenResult) => boolean = () => true): Promise<SeenResult> {
    // Not `waitForFunction`: it evaluates in the page, whose content security policy refuses that.
    const look = (): Promise<SeenResult[]> => this.page.evaluate<SeenResult[]>(`window.seenResults.slice(${this.read})`);
    const seen = await until(look, (results) => results.some(is), longest);
    const at = seen.findIndex(is);
    this.read += at + 1;
    return seen[at] as SeenResult;
  }

  /** Which results belong to no attempt until now: the server's late answers change earlier cards. */
  private async afterNow(): Promise<(seen: SeenResult) => boolean> {
    const known = new Set((await this.results()).map(({ scan }) => scan));
    return ({ scan }) => !known.has(scan);
  }

  /** All results since the page was opened. */
  results(): Promise<SeenResult[]> {
    return this.page.evaluate<SeenResult[]>('window.seenResults');
  }

  /** Counts no result that was shown until now. */
  async forget(): Promise<void> {
    this.read = (await this.results()).length;
  }

  /** Closes the result as a tap does, if one is shown. */
  async dismiss(): Promise<void> {
    await this.page.evaluate(`document.querySelector('section.result [data-action="next"]')?.click()`);
    await this.page.locator('section.result').waitFor({ state: 'detached', timeout: longest });
  }

  /**
   * A code from a keyboard scanner. The keys come in one moment, so that a slow machine never tears the code apart: {@link scanByKeys}
   * presses them as a keyboard does.
   */
  async scan(text: string): Promise<SeenResult> {
    const isNew = await this.afterNow();
    const keys = [
      ...keysOf(text, 'us', 'us').map(({ key, code, shift }) => ({ key, code, shiftKey: shift })),
      { key: 'Enter', code: 'Enter' },
    ];
    await this.page.evaluate(`for (const key of ${JSON.stringify(keys)})
      document.body.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))`);
    return this.next(isNew);
  }

  /**
   * Types a code as a keyboard scanner does, without a focused field, and presses Enter. The events say that the keys were pressed 2 ms
   * apart: a slow machine does not change that.
   */
  async scanByKeys(text: string, scanner: KeyboardLayout = 'us', phone: KeyboardLayout = 'us'): Promise<SeenResult> {
    const isNew = await this.afterNow();
    const session = await this.devtools();
    const sent: Promise<unknown>[] = [];
    const began = Date.now() / 1000;
    const key = (type: string, event: object): Promise<unknown> =>
      session.send('Input.dispatchKeyEvent', { type, timestamp: began + sent.length / 1000, ...event } as never);
    for (const { code, shift, key: typed } of keysOf(text, scanner, phone)) {
      const modifiers = shift ? 8 : 0;
      if (shift) sent.push(key('rawKeyDown', { key: 'Shift', code: 'ShiftLeft', modifiers }));
      sent.push(key('keyDown', { key: typed, code, text: typed, modifiers }), key('keyUp', { key: typed, code, modifiers }));
      if (shift) sent.push(key('keyUp', { key: 'Shift', code: 'ShiftLeft', modifiers: 0 }));
    }
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
    sent.push(key('keyDown', { ...enter, text: '\r' }), key('keyUp', enter));
    await Promise.all(sent);
    return this.next(isNew);
  }

  /** People inside by the counts on the screen. */
  async inside(count: number): Promise<void> {
    await this.page.locator(`.counts[data-inside="${count}"]`).waitFor({ timeout: longest });
  }

  /** Waits until the list has these counts of `GET /scan/status/`. */
  async hasCountsOf({ expected, admitted, inside }: { expected: number; admitted: number; inside: number }): Promise<void> {
    await this.page
      .locator(`.counts[data-expected="${expected}"][data-admitted="${admitted}"][data-inside="${inside}"]`)
      .waitFor({ timeout: longest });
  }

  async devtools(): Promise<CDPSession> {
    this.session ??= await this.page.context().newCDPSession(this.page);
    return this.session;
  }
}
