import { expect } from '@jest/globals';
import type supertest from 'supertest';
import { SoftPasskey, type Forged } from './soft-passkey.js';
import type { StaffAccounts } from './staff-accounts.js';
import type { StaffBrowser } from './staff-browser.js';
import type { TestApp } from './test-app.js';

/** Adds a passkey in a browser that is signed in. @returns the answer to it */
export async function addPasskey(
  browser: StaffBrowser,
  passkey: SoftPasskey,
  { name = 'Phone', ...forged }: Forged & { name?: string } = {},
) {
  const { body } = await browser.call('get', '/account/passkeys').expect(200);
  return browser.form('/account/passkeys', { name, credential: passkey.make(body, forged) });
}

/** A person with a passkey, and the browser where it was added. */
export async function withPasskey(staff: StaffAccounts): Promise<{ passkey: SoftPasskey; browser: StaffBrowser; codes: string[] }> {
  const browser = await staff.signedIn();
  const passkey = new SoftPasskey(staff.venue.host);
  const { text } = await addPasskey(browser, passkey).then((answer) => answer);
  const codes = [...text.matchAll(/<code>([\w-]{14})<\/code>/g)].map(([, code]) => String(code));
  expect(codes).toHaveLength(10);
  return { passkey, browser, codes };
}

/** Answers with a passkey at a page of the sign-in. */
export async function usePasskey(
  browser: StaffBrowser,
  passkey: SoftPasskey,
  forged: Forged = {},
  path = '/login/passkey',
): Promise<supertest.Response> {
  const { body } = await browser.call('get', path).expect(200);
  return browser.form(path, { credential: passkey.use(body, forged) });
}

/** The id of the first passkey of the account. */
export const passkeyIn = async (browser: StaffBrowser): Promise<string> =>
  /passkeys\/([\w-]{36})/.exec((await browser.call('get', '/account')).text)?.[1] ?? '';

/** The last proof of all sessions of a person was long ago. */
export const ageProofs = (test: TestApp, userId: string): Promise<unknown> =>
  test.database.query(`update shared.panel_session set data = jsonb_set(data, '{provenAt}', '1') where user_id = $1`, [userId]);
