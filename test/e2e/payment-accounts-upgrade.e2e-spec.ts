import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TaskSchedulerService } from '#jobs';
import { SecretBox } from '#kernel';
import { PaymentAccountsService } from '#payments';
import { Migrator, tenantMigrations, type TenantIdentity } from '#tenancy';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startStripeApp, type StripeApp } from '../support/stripe-app.js';

/** Programs before tenant version 77 know one account with Stripe, in columns of its own. They run beside newer ones during an upgrade. */
let test: StripeApp;

beforeAll(async () => {
  test = await startStripeApp();
});
afterAll(() => test.close());

const task = 'seal payment accounts';

/** Saves the account as an older program does. */
async function saveAsBefore({ id, schemaName }: TenantIdentity, secretKey: string): Promise<void> {
  const seal = (text: string, use: string): Buffer =>
    test.app.get(SecretBox).seal(Buffer.from(text), `payment account stripe ${use} ${id}`);
  await test.database.query(
    `insert into "${schemaName}".payment_account (provider, sealed_secret_key, sealed_webhook_secret) values ('stripe', $1, $2)
     on conflict (provider) do update set sealed_secret_key = excluded.sealed_secret_key,
       sealed_webhook_secret = excluded.sealed_webhook_secret, enabled = true, updated_at = excluded.updated_at`,
    [seal(secretKey, 'secret key'), seal(test.stripe.webhookSecret, 'webhook secret')],
  );
}

/** The secret key as an older program reads it. */
async function keyAsBefore({ id, schemaName }: TenantIdentity): Promise<string> {
  const [row] = await test.database.query<{ key: Buffer }>(`select sealed_secret_key as key from "${schemaName}".payment_account`);
  return test.app.get(SecretBox).open(row!.key, `payment account stripe secret key ${id}`).toString();
}

const fieldsOf = async (tenant: TenantIdentity) => (await test.accountOf(tenant))!.account!.fields;
const isSealed = async ({ schemaName }: TenantIdentity): Promise<boolean> =>
  (await test.database.query<{ found: boolean }>(`select sealed_fields is not null as found from "${schemaName}".payment_account`))[0]!
    .found;

describe('an account that an older program saved', () => {
  it('takes payments at once, and is sealed by a task that can be repeated', async () => {
    const venue = await test.newTenant();
    await saveAsBefore(venue, test.stripe.secretKey);
    const held = await book(test, venue, await newEvent(test, venue));
    expect(held).toMatchObject({ status: 'U', payments: [{ provider: 'stripe', accountId: (await test.accountOf(venue))!.id }] });
    const { secretKey, webhookSecret } = test.stripe;
    expect(await fieldsOf(venue)).toEqual({ secretKey, webhookSecret, delayedMethods: 'no' });
    expect(await isSealed(venue)).toBe(false);
    for (let round = 0; round < 2; round += 1) {
      await test.app.get(TaskSchedulerService).run(task);
      expect(await isSealed(venue)).toBe(true);
      expect(await fieldsOf(venue)).toEqual({ secretKey, webhookSecret, delayedMethods: 'no' });
    }
  });

  it('is read anew after the older program changes it again', async () => {
    // Fails without the trigger `payment_account_former`: the fields that were sealed before would go on.
    const venue = await test.newTenant();
    await saveAsBefore(venue, 'sk_test_51GuichetFirstKey');
    await test.app.get(TaskSchedulerService).run(task);
    await saveAsBefore(venue, test.stripe.secretKey);
    expect(await fieldsOf(venue)).toMatchObject({ secretKey: test.stripe.secretKey });
    await test.database.query(`update "${venue.schemaName}".payment_account set delayed_methods = true`);
    expect(await fieldsOf(venue)).toMatchObject({ secretKey: test.stripe.secretKey, delayedMethods: 'yes' });
    await test.app.get(TaskSchedulerService).run(task);
    expect(await fieldsOf(venue)).toMatchObject({ secretKey: test.stripe.secretKey, delayedMethods: 'yes' });
    // Switching it on and off changes no field.
    await test.database.query(`update "${venue.schemaName}".payment_account set enabled = false`);
    expect(await isSealed(venue)).toBe(true);
  });

  it('can be read by older programs after a newer one saved it', async () => {
    const venue = await test.newVenue();
    expect(await keyAsBefore(venue)).toBe(test.stripe.secretKey);
    await test.acceptDelayed(venue);
    const [row] = await test.database.query(`select delayed_methods as delayed from "${venue.schemaName}".payment_account`);
    expect(row).toEqual({ delayed: true });
  });

  it('stays as it is when nobody can read it', async () => {
    const venue = await test.newTenant();
    await saveAsBefore(venue, test.stripe.secretKey);
    await test.database.query(`update "${venue.schemaName}".payment_account set sealed_secret_key = '\\x00'`);
    await test.app.get(TaskSchedulerService).run(task);
    expect(await isSealed(venue)).toBe(false);
    expect(await test.accountOf(venue)).toMatchObject({ enabled: true, account: undefined });
  });
});

describe('a payment that an older program began', () => {
  it('has the account of its provider, and keeps what it says', async () => {
    const venue = await test.newVenue();
    const held = await book(test, venue, await newEvent(test, venue));
    const accounts = test.app.get(PaymentAccountsService);
    const { account } = await test.inside(venue, () => accounts.of({ provider: 'stripe', accountId: null }));
    expect(account.id).toBe(held.payments[0]!.accountId);
    // The ledger is never rewritten.
    const change = (value: string): Promise<unknown> =>
      test.database.query(`update "${venue.schemaName}".payment set account_id = ${value} where id = '${held.payments[0]!.id}'`);
    await expect(change('null')).rejects.toThrow('append-only');
    await expect(change('gen_random_uuid()')).rejects.toThrow('append-only');
  });
});

describe('the migration', () => {
  it('is additive, and keeps the accounts of tenants of version 76', async () => {
    expect(tenantMigrations.find(({ version }) => version === 77)).toMatchObject({ additive: true });
    const venues = await Promise.all([1, 2, 3].map(() => test.newTenant()));
    for (const { id, schemaName: schema } of venues) {
      const steps = tenantMigrations.filter(({ version }) => version <= 76).map(({ sql }) => sql);
      await test.database.query(`alter schema "${schema}" rename to "${schema}_new"; create schema "${schema}"`);
      await test.database.query(`begin; set local search_path to "${schema}"; ${steps.join('\n')};
        alter table "${schema}_new".configuration drop column donations, drop column opening_hours, drop column getting_here,
          drop column accessibility, drop column access_contact, drop column booking_confirmation, drop column follow_by_mail,
          drop column remind_guests, drop column privacy, drop column typeface, drop column corners,
          drop column tax_receipt_articles, drop column tax_receipt_name, drop column tax_receipt_object,
          drop column tax_receipt_signer, drop column gift_cards, drop column gift_card_years;
        insert into configuration select * from "${schema}_new".configuration;
        insert into signing_key select * from "${schema}_new".signing_key; commit;
        drop schema "${schema}_new" cascade; update shared.tenant set schema_version = 76 where id = '${id}'`);
    }
    for (const venue of venues) await saveAsBefore(venue, test.stripe.secretKey);
    expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 3, behind: [] });
    expect(await test.app.get(Migrator).run()).toMatchObject({ tenants: 0, behind: [] });
    const ids = await Promise.all(venues.map(async (venue) => (await test.accountOf(venue))!.id));
    expect(new Set(ids).size).toBe(3);
    for (const venue of venues) {
      const held = await book(test, venue, await newEvent(test, venue));
      expect(held).toMatchObject({ status: 'U', payments: [{ provider: 'stripe' }] });
    }
  });
});
