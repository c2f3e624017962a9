import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UsersService } from '#tenancy';
import { switchOn } from '../support/factor-codes.js';
import { ageProofs } from '../support/passkey-pages.js';
import { StaffAccounts } from '../support/staff-accounts.js';
import type { StaffBrowser } from '../support/staff-browser.js';
import type { TestApp } from '../support/test-app.js';

let staff: StaffAccounts;
let test: TestApp;

beforeAll(async () => {
  staff = await StaffAccounts.open();
  ({ test } = staff);
});
beforeEach(() => staff.begin());
afterAll(() => staff?.close());

describe('a second factor that was lost', () => {
  const record = `/api/resources/people/records`;
  const act = async (by: StaffBrowser, action: string, id = staff.person.id): Promise<string> => {
    const { body } = await by.call('post', `${record}/${id}/${action}`).send({});
    const { notice } = body as { notice?: { type: string; message: string } };
    return notice?.message ?? '';
  };
  const shown = async (by: StaffBrowser): Promise<Record<string, unknown>> =>
    ((await by.call('get', `${record}/${staff.person.id}/show`)).body as { record: { params: Record<string, unknown> } }).record.params;

  /** The record of users is append-only. @param statement about `$1` alone */
  const byHand = (statement: string, id: string): Promise<unknown> => {
    const guarded = (how: string): string => `alter table shared.user_change ${how} trigger user`;
    return test.database.query([guarded('disable'), statement.replace('$1', `'${id}'`), guarded('enable')].join(';'));
  };

  it('is reset by two directors: one asks, another one confirms, both with a fresh proof', async () => {
    const browser = await staff.signedIn();
    const [first, second] = [await staff.newPerson(), await staff.newPerson()];
    const asks = await staff.signedIn('10.8.1.1', first);
    expect(await act(asks, 'askReset')).not.toBe('resetAsked');
    await switchOn(browser);
    await ageProofs(test, first.id);
    expect((await asks.call('post', `${record}/${staff.person.id}/askReset`).send({})).status).toBe(403);
    const [again, andAgain] = [await staff.signedIn('10.8.1.1', first), await staff.signedIn('10.8.2.1', second)];
    expect(await act(again, 'askReset')).toBe('resetAsked');
    await staff.mailWith('Another person who directs');
    expect(await shown(again)).toMatchObject({ resetState: 'own', factorReset: expect.stringMatching(/^Person \d+ asked for it/) });
    expect(await shown(andAgain)).toMatchObject({ resetState: 'asked' });
    // Not by who asked, nor by the person; nothing ended yet.
    expect(await act(again, 'confirmReset')).not.toBe('resetConfirmed');
    expect(await act(andAgain, 'askReset')).not.toBe('resetAsked');
    expect(await act(browser, 'confirmReset')).not.toBe('resetConfirmed');
    expect(await browser.isIn()).toBe(true);
    await ageProofs(test, second.id);
    expect((await andAgain.call('post', `${record}/${staff.person.id}/confirmReset`).send({})).status).toBe(403);
    expect(await act(await staff.signedIn('10.8.2.1', second), 'confirmReset')).toBe('resetConfirmed');
    expect(await browser.isIn()).toBe(false);
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin');
    await staff.mailWith('Two people who direct');
    const told = async (): Promise<string> =>
      (await again.list('changes')).records!.map(({ params }) => String(params['sentence'])).join('\n');
    for (const part of ['Reset of a second factor asked for', 'Second factor reset by two people', staff.person.email])
      expect(await told()).toContain(part);
    // The present address of somebody who left is not the venue’s.
    await test.app.get(UsersService).revoke(staff.person.id, staff.venue.id);
    expect(await told()).not.toContain(staff.person.email);
  });

  it.each([
    ['a day passed', `update shared.user_change set at = at - interval '25 hours' where user_id = $1 and action = 'factor_reset_asked'`],
    ['who asked was suspended', `delete from shared.tenant_administrator where user_id = $1`],
    ['the person signed in', `update shared.user_account set last_sign_in_at = now() where id = $1`],
    ['it was taken back', ''],
    ['the person said that it is not lost', 'keep'],
  ])('is not reset after %s', async (_why, statement) => {
    const browser = await staff.signedIn();
    await switchOn(browser);
    expect((await browser.call('get', '/account')).text).not.toContain('I still have it');
    const [first, second] = [await staff.newPerson(), await staff.newPerson()];
    const [asks, confirms] = [await staff.signedIn('10.9.1.1', first), await staff.signedIn('10.9.2.1', second)];
    expect(await act(asks, 'askReset')).toBe('resetAsked');
    if (statement === '') expect(await act(confirms, 'dropReset')).toBe('resetDropped');
    else if (statement === 'keep') {
      expect((await browser.call('get', '/account')).text).toContain('I still have it');
      const done = '/admin/account?done=factorKept';
      expect((await browser.form('/account/factor/kept', {})).headers['location']).toBe(done);
      // Nothing is open any more, nor is it for others.
      for (const other of [browser, asks])
        expect((await other.form('/account/factor/kept', {})).headers['location']).toBe('/admin/account');
    } else await byHand(statement, statement.includes('administrator') ? first.id : staff.person.id);
    expect(await act(confirms, 'confirmReset')).not.toBe('resetConfirmed');
    expect((await staff.browser().signIn(staff.person.email, staff.person.password)).headers['location']).toBe('/admin/login/code');
  });

  it('is the operator’s to reset where one person directs, and for people with a right elsewhere', async () => {
    await switchOn(await staff.signedIn());
    const director = await staff.signedIn('10.9.3.1', await staff.newPerson());
    const elsewhere = await test.newTenant();
    await test.app.get(UsersService).grant(staff.person.id, { tenantId: elsewhere.id });
    expect(await act(director, 'askReset')).toContain('only the operator');
    const alone = await test.app.get(UsersService).create({ email: `alone${staff.people}@example.org` });
    await test.app.get(UsersService).grant(alone.id, { tenantId: elsewhere.id });
    await test.app.get(UsersService).revoke(staff.person.id, staff.venue.id);
    const single = staff.browser('10.9.4.1', elsewhere);
    await single.signIn(alone.email, alone.password);
    expect(await act(single, 'askReset')).toContain('two other people');
  });
});
