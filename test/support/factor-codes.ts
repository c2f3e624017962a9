import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { StaffBrowser } from './staff-browser.js';

/** A code of an app. @param key as the page shows it, without spaces @param steps of 30 s after now */
export const codeOf = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key), period: 30 }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Switches the second factor on in a browser. @returns the key of the app and the recovery codes */
export async function switchOn(browser: StaffBrowser): Promise<{ key: string; recovery: string[] }> {
  const { text } = await browser.call('get', '/account/factor').expect(200);
  const key = (/<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', '');
  expect(text).toContain('data:image/svg+xml;base64,');
  const shown = await browser.form('/account/factor', { code: codeOf(key, -1) }).expect(200);
  const recovery = [...shown.text.matchAll(/<code>([\w-]{14})<\/code>/g)].map(([, code]) => String(code));
  expect(recovery).toHaveLength(10);
  return { key, recovery };
}
