import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { HolderLinks } from '#tickets';
import { ApiKeysService, UsersService, type TenantIdentity } from '#tenancy';
import { ScanningDevicesService } from '#scan';
import supertest from 'supertest';
import type { Started } from '../load/bench-processes.js';
import { book, letHoldsLapse } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { startServers } from '../support/servers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let server: Started | undefined;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
});
afterAll(() => test.close());

/** Starts a server in its own process with a clock that is wrong by `hours`. */
async function startWrongServer(hours: number): Promise<void> {
  const program = `const RealDate = Date, shift = ${hours} * 3600000;
    globalThis.Date = class extends RealDate {
      constructor(...values) { if (values.length === 0) super(RealDate.now() + shift); else super(...values); }
      static now() { return RealDate.now() + shift; }
    };`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(program)}`;
  [server] = await startServers(test, 1, { NODE_OPTIONS });
}

const call = (method: 'get' | 'post', path: string): supertest.Test =>
  supertest(`http://127.0.0.1:${server!.port}`)[method](path).set('Host', tenant.host);

// Verified to fail with the clock of the process: when it is fast, the hold expires at once; when it is slow, the hold lasts too long.
it.each([1, -1])('shows and decides on a server whose clock is %d h off what the others do', async (hours) => {
  const event = await newEvent(test, tenant, { name: `Concert at ${hours}` });
  const hold = await book(test, tenant, event);
  const path = await test.inside(tenant, async () => test.app.get(HolderLinks).pathTo({ reservationId: hold.id }));
  const { key } = await test.inside(tenant, () =>
    test.app.get(ApiKeysService).createIntegrationKey({
      name: 'Ends in half an hour',
      scopes: ['event:read'],
      expiresAt: new Date(Date.now() + 1_800_000),
    }),
  );
  const pairing = await test.inside(tenant, () => test.app.get(ScanningDevicesService).create(`Door ${hours}`));
  await startWrongServer(hours);
  const page = await call('get', path).set('Accept-Language', 'en').expect(200);
  expect(page.text).toContain('Your places are kept until');
  await letHoldsLapse(test, tenant, '30 minutes');
  const lapsed = await call('get', path).set('Accept-Language', 'en').expect(200);
  expect(lapsed.text).toContain('The time to pay has passed');
  const agenda = await call('get', '/').set('Accept-Language', 'en').expect(200);
  expect(agenda.text).toContain(`Concert at ${hours}`);
  await call('get', '/api/v2/events/').set('Authorization', `Api-Key ${key}`).expect(200);
  const { id: userId, email, password } = await test.app.get(UsersService).create({ email: `ada${hours}@example.org`, name: 'Ada' });
  await test.app.get(UsersService).grant(userId, { tenantId: tenant.id });
  const panel = new PanelClient({ ...test, port: server!.port }, tenant);
  await panel.signIn(email, password);
  await panel.call('get', '').expect(200);
  const device = await call('get', pairing.path).expect(200);
  await call('get', '/scan/test_api/').set('Authorization', `Api-Key ${device.body.api_key}`).expect(200);
});
