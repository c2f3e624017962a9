import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { EventsService, PostalAddressesService, PricesService, ProductsService } from '#catalogue';
import { ApiKeysService, runInTenant, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import { openBenchApp, type BenchApp } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { startServer } from './scan-bench.js';

const events = 1000;
const turns = 30;

/** Creates a thousand published events with address, tags, options and a product. */
async function programme({ app }: BenchApp): Promise<{ tenant: TenantIdentity; authorization: string }> {
  const tenant = await app.get(TenantsService).create({ slug: 'bench', name: 'Bench', category: 'S' });
  return runInTenant(tenant, async () => {
    const addresses: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const address = { streetAddress: `${number} rue Neuve`, addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
      addresses.push((await app.get(PostalAddressesService).create(address)).id);
    }
    const product = await app.get(ProductsService).create({ name: 'Ticket', category: 'B' });
    await app.get(PricesService).create({ productId: product.id, name: 'Full price', amount: '12' });
    for (let number = 0; number < events; number += 1) {
      const event = await app.get(EventsService).create({
        name: `Evening ${number}`,
        startsAt: new Date(Date.now() + number * 3_600_000),
        shortDescription: 'What the evening is about, in one line that a list can show.',
        longDescription: `<p>${'A paragraph of what happens, who plays and why. '.repeat(8)}</p>`,
        postalAddressId: addresses[number % addresses.length],
        keywords: [`Tag ${number % 7}`, `Tag ${number % 11}`, 'Live'],
        radioOptions: ['Seated', 'Standing'],
        checkboxOptions: ['Meal', 'Cloakroom'],
      });
      await app.get(TenantDb).transaction((tx) => app.get(EventsService).linkProducts(tx, event.id, [product.id]));
    }
    const { key } = await app.get(ApiKeysService).createIntegrationKey({ name: 'Bench', scopes: ['event:read'] });
    return { tenant, authorization: `Api-Key ${key}` };
  });
}

/** The rows of the list, as JSON built by PostgreSQL. */
const bareList = (schema: string): string => `select json_agg(row) as body from (
  select e.*, row_to_json(a) as address,
    (select json_agg(t.name) from "${schema}".event_tag l join "${schema}".tag t on t.id = l.tag_id where l.event_id = e.id) as tags,
    (select json_agg(o.name order by o.position) from "${schema}".event_option o where o.event_id = e.id) as options,
    (select json_agg(p.product_id) from "${schema}".event_product p where p.event_id = e.id) as products
  from "${schema}".event e left join "${schema}".postal_address a on a.id = e.postal_address_id
  where e.published order by e.starts_at, e.id) row`;

/**
 * Time to first byte of the list of a thousand events, complete and unchanged (304), compared with the plain statement, in alternating
 * rounds.
 */
export async function runEventsBench(): Promise<void> {
  const bench = await openBenchApp();
  const server = await startServer(bench);
  const agent = new Agent({ keepAlive: true });
  try {
    const { tenant, authorization } = await programme(bench);
    await bench.pool.query('analyze');
    let tag = '';
    const ask = async (headers: Record<string, string>, status: number): Promise<number> => {
      const began = performance.now();
      const path = '/api/v2/events/';
      const sent = get({ host: '127.0.0.1', port: server.port, path, agent, headers: { host: tenant.host, authorization, ...headers } });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const waited = performance.now() - began;
      const body = await text(answer);
      if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${body.slice(0, 200)}`);
      if (status === 200 && (JSON.parse(body) as { results: unknown[] }).results.length !== events)
        throw new Error('Not all events are listed.');
      tag = answer.headers.etag as string;
      return waited;
    };
    const [whole, unchanged, bare]: [number[], number[], number[]] = [[], [], []];
    for (let turn = -5; turn < turns; turn += 1) {
      const one = await ask({}, 200);
      // Several requests, because the first one after a complete list waits for garbage collection.
      const others: number[] = [];
      for (let count = 0; count < 5; count += 1) others.push(await ask({ 'if-none-match': tag }, 304));
      const began = performance.now();
      await bench.pool.query(bareList(tenant.schemaName));
      const statement = performance.now() - began;
      // The first rounds warm up the JIT.
      if (turn < 0) continue;
      whole.push(one);
      unchanged.push(...others);
      bare.push(statement);
    }
    console.log(
      `${events} events: first byte after ${median(whole).toFixed(0)} ms (median), 304 after ${median(unchanged).toFixed(1)} ms, ` +
        `bare select json_agg ${median(bare).toFixed(0)} ms. To the bare statement: ${(median(whole) / median(bare)).toFixed(2)}; ` +
        `304 is ${(median(whole) / median(unchanged)).toFixed(1)} times cheaper.`,
    );
  } finally {
    agent.destroy();
    await server.stop();
    await bench.close();
  }
}
