import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScheduledTasks } from '#tenancy';
import { newEvent } from '../support/builders.js';
import { MollieServer } from '../support/mollie-server.js';
import { OnlinePayments } from '../support/online-payments.js';
import { OrderForms } from '../support/order-forms.js';
import { staffOf } from '../support/panel-staff.js';
import { tenantWork } from '../support/tenant-work.js';

let mollie: MollieServer;
let payments: OnlinePayments;
let test: OnlinePayments['test'];
let venue: OnlinePayments['tenant'];

beforeAll(async () => {
  mollie = await MollieServer.start();
  payments = await OnlinePayments.start({ MOLLIE_API_BASE: mollie.url });
  ({ test, tenant: venue } = payments);
  await test.removeAccount(venue);
});
afterAll(async () => {
  await payments.stop();
  await mollie.stop();
});

const { inside, sql } = tenantWork(() => ({ test, tenant: venue }));

it('buyers read the ways to pay by name before the page of Mollie, as of yesterday at most', async () => {
  mollie.methods = ['giftcard', 'ideal', 'applepay', 'creditcard'];
  await (await staffOf(test, venue)).send('payment-account', 'add', mollie.account);
  const { slug, priceId } = await newEvent(test, venue);
  const path = await new OrderForms(test, venue).begin(slug, priceId, '1');
  const form = async (language: string): Promise<string> => (await test.on(venue).get(path).set('Accept-Language', language)).text;
  expect(await form('en')).toContain('Card, Apple Pay, iDEAL');
  expect(await form('fr')).toContain('Carte bancaire, Apple Pay, iDEAL');
  const task = test.app.get(ScheduledTasks).find('read ways to pay online');
  mollie.methods = ['bancontact'];
  await inside(task.work);
  expect(await form('en')).toContain('Card, Apple Pay, iDEAL');
  await sql(`update payment_account set methods_read_at = now() - interval '25 hours'`);
  const changes = await sql('select 1 from change');
  mollie.fault = 'down';
  await inside(task.work);
  mollie.fault = undefined;
  expect(await form('en')).toContain('Card, Apple Pay, iDEAL');
  await inside(task.work);
  expect(await form('en')).toContain('>Bancontact<');
  expect(await sql('select 1 from change')).toEqual(changes);
});
