import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import supertest from 'supertest';
import type { Started } from '../load/bench-processes.js';
import { startServers } from '../support/servers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let servers: Started[] = [];

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'event:write');
  servers = await startServers(test, 2, { DATABASE_WAIT_MS: '20000' });
}, 120_000);
afterAll(async () => {
  for (const server of servers) await server.stop();
  await test.close();
});

describe('the same new tag from two processes', () => {
  it('is created once, although each process sends it a hundred times at once', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 25 });
    const answers = await Promise.all(
      servers.flatMap(({ port }, server) =>
        Array.from({ length: 100 }, (_, number) =>
          supertest(`http://127.0.0.1:${port}`)
            .post('/api/v2/events/')
            .agent(agent)
            .set({ Host: tenant.host, Authorization: authorization })
            .send({
              name: `No. ${number} of ${server}`,
              startDate: '2027-05-21T20:30',
              keywords: [number % 2 ? 'Fanfare' : 'FANFARE'],
            }),
        ),
      ),
    );
    agent.destroy();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const tags = await test.database.query(
      `select key, (select count(*)::int from "${tenant.schemaName}".event_tag) as events from "${tenant.schemaName}".tag`,
    );
    expect(tags).toEqual([{ key: 'fanfare', events: 200 }]);
  }, 120_000);
});
