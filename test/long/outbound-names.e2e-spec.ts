import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import sharp from 'sharp';
import { DnsServer } from '../support/dns-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { newKey } from '../support/webhooks.js';

let dns: DnsServer;
let test: TestApp;
let pictures: Server;
let picturePort: number;
let receiver: WebhookReceiver;
const changing: string[][] = [];

beforeAll(async () => {
  dns = await DnsServer.start((name, type) => {
    if (name.endsWith('silent.example')) return 'silent';
    if (type !== 'A') return [];
    return name === 'changing.example' ? (changing.shift() ?? []) : ['127.0.0.1'];
  });
  receiver = await WebhookReceiver.start();
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  pictures = createServer((request, response) => {
    response.setHeader('Connection', 'close');
    if (request.url === '/moved') response.writeHead(302, { Location: '/picture' }).end();
    else response.end(picture);
  });
  pictures.listen(0, '127.0.0.1');
  await once(pictures, 'listening');
  ({ port: picturePort } = pictures.address() as AddressInfo);
  // 127.0.0.1 counts as a public address.
  test = await startTestApp({ environment: { OUTBOUND_ALLOW: '127.0.0.1', OUTBOUND_DNS: dns.address } });
  test.app.get(WebhookWorker).start();
});
afterAll(async () => {
  await test.close();
  await receiver.stop();
  pictures.close();
  await dns.stop();
});

/** Failures of a tenant's deliveries, in the order of their addresses; null: delivered or not attempted yet. */
async function failures({ schemaName }: TenantIdentity): Promise<(string | null)[]> {
  const rows = await test.database.query<{ failure: string | null }>(
    `select d.last_failure as failure from "${schemaName}".webhook_delivery d
     join "${schemaName}".webhook_endpoint e on e.id = d.endpoint_id order by e.url`,
  );
  return rows.map(({ failure }) => failure);
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await look()); await delay(50)) if (Date.now() > end) throw new Error('Waited in vain');
}

async function makeEvent(tenant: TenantIdentity, urls: readonly string[]): Promise<void> {
  await test.inside(tenant, async () => {
    for (const url of urls) await test.app.get(WebhookEndpointsService).create({ url, types: ['*'] });
    await test.app.get(EventsService).create({ name: 'Concert', startsAt: new Date(Date.now() + 3_600_000) });
  });
}

describe('names that tenants choose for webhooks and pictures', () => {
  it('delay only the tenant that chose them when no name server answers, and only for a limited time', async () => {
    const [slow, other] = [await test.newTenant(), await test.newTenant()];
    await makeEvent(
      slow,
      Array.from({ length: 12 }, (_, number) => `https://n${number}.silent.example/hook`),
    );
    await until(async () => dns.asked.some((asked) => asked.includes('silent.example')));
    // The receiver does not support TLS; its failure proves that the name was resolved and the connection opened.
    await makeEvent(other, [receiver.url, `https://good.example:${receiver.port}/hook`]);
    await until(async () => receiver.received.length > 0);
    await until(async () => (await failures(other)).includes('tls'));
    await until(async () => (await failures(slow)).every((failure) => failure === 'unreachable'));
  });

  it('are connected to their public address at each request, or refused', async () => {
    const tenant = await test.newTenant();
    const key = await newKey(test, tenant, 'product:write');
    const make = async (name: string, url: string): Promise<number> => {
      const sent = test.on(tenant).post('/api/products/').set('Authorization', key);
      return (await sent.send({ name, categorie_article: 'T', img_url: url })).status;
    };
    expect(await make('Good', `http://good.example:${picturePort}/moved`)).toBe(201);
    changing.push(['127.0.0.1'], ['127.0.0.1']);
    expect(await make('Public twice', `http://changing.example:${picturePort}/moved`)).toBe(201);
    // The name resolves to a public address first, and to a private one when the redirect is followed.
    changing.push(['127.0.0.1'], ['127.0.0.2']);
    expect(await make('Rebinding', `http://changing.example:${picturePort}/moved`)).toBe(400);
    changing.push(['127.0.0.1', '10.0.0.1']);
    expect(await make('Partly private', `http://changing.example:${picturePort}/moved`)).toBe(400);
  });
});
