import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { TenantsService } from '#tenancy';
import { openBenchApp, type BenchApp } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { startServer } from './scan-bench.js';

const members = 1000;
const eventsEach = 20;
const asked = 300;

/** Inserts members and their events into the shared tables only, because the agenda does not read tenant schemas. */
async function fill({ pool, app }: BenchApp): Promise<{ host: string; id: string }> {
  const network = await app.get(TenantsService).create({ slug: 'network', name: 'Network', category: 'M' });
  await pool.query(
    `insert into shared.tenant (slug, name, category, schema_name)
     select 'member-' || n, 'Member ' || n, 'S', 't_' || md5('member ' || n) from generate_series(1, ${members}) n`,
  );
  await pool.query(
    `insert into shared.domain (host, tenant_id, is_primary) select slug || '.localhost', id, true from shared.tenant
     where slug like 'member-%'`,
  );
  await pool.query(
    `insert into shared.network_member (network_id, tenant_id, state) select $1, id, 'accepted' from shared.tenant
     where slug like 'member-%'`,
    [network.id],
  );
  // From a month ago to a year ahead; one in fifty lasts a week.
  await pool.query(
    `insert into shared.federated_event (network_id, tenant_id, event_id, name, slug, category, short_description, starts_at, over_at,
     tags, tag_keys,
       place_name, street_address, locality, postal_code, country, search_text, created_at, updated_at)
     select $1, t.id, gen_random_uuid(), 'Evening ' || n, 'evening-' || n || '-' || t.slug, (array['LIV', 'FES', 'CON'])[n % 3 + 1],
       'What the evening is about, in one line that a list can show.', at, at + case when n % 50 = 0 then interval '7 days'
       else interval '3 hours' end,
       array['Tag ' || n % 7, 'Live'], array['tag ' || n % 7, 'live'], 'Main hall', '1 rue Neuve', 'Town ' || n % 40, '69001', 'FR',
       'evening ' || n || ' what the evening is about main hall town ' || n % 40, now(), now()
     from (select t.id, t.slug, row_number() over (order by t.id) * ${eventsEach} + e as n,
         now() - interval '30 days' + random() * interval '395 days' as at
       from shared.tenant t cross join generate_series(1, ${eventsEach}) e where t.slug like 'member-%') t`,
    [network.id],
  );
  await pool.query('vacuum analyze shared.federated_event, shared.tenant, shared.domain, shared.network_member');
  return network;
}

/** The same rows with plain SQL. */
const bare = `select f.*, t.name as sender, t.slug as sender_slug, t.time_zone, d.host from shared.federated_event f
  join shared.tenant t on t.id = f.tenant_id join shared.domain d on d.tenant_id = t.id and d.is_primary
  where f.network_id = $1 and f.over_at >= now() and f.starts_at >= now() - interval '48 hours' order by f.starts_at, f.name limit 201`;

const p95 = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0;
const said = (name: string, values: readonly number[]): string =>
  `${name}: median ${median(values).toFixed(1)} ms, p95 ${p95(values).toFixed(1)} ms`;

/**
 * The agenda of a network with 1,000 members of 20 events each: complete, unchanged (304) and filtered, compared with the plain SQL
 * statement, in alternating rounds.
 */
export async function runAgendaBench(): Promise<void> {
  const bench = await openBenchApp();
  const server = await startServer(bench);
  const agent = new Agent({ keepAlive: true });
  try {
    const network = await fill(bench);
    const ask = async (
      path: string,
      status = 200,
      headers: Record<string, string> = {},
    ): Promise<{ waited: number; tag: string; body: string }> => {
      const began = performance.now();
      const sent = get({
        host: '127.0.0.1',
        port: server.port,
        path,
        agent,
        headers: { host: network.host, ...headers },
      });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await text(answer);
      const waited = performance.now() - began;
      if (answer.statusCode !== status) throw new Error(`${path}: ${answer.statusCode} ${body.slice(0, 200)}`);
      return { waited, tag: answer.headers.etag ?? '', body };
    };
    const [page, unchanged, statement, found, places]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
    const first = await ask('/');
    const listed = first.body.match(/<li class="entry/g)?.length ?? 0;
    if (listed < 40) throw new Error(`Only ${listed} events are on the page.`);
    for (let turn = -20; turn < asked; turn += 1) {
      const whole = await ask('/');
      const again = await ask('/', 304, { 'if-none-match': whole.tag });
      const began = performance.now();
      await bench.pool.query({ name: 'bare', text: bare, values: [network.id] });
      const alone = performance.now() - began;
      const narrowed = await ask('/?q=evening+town+7&category=LIV');
      const list = turn % 10 === 0 ? await ask('/places') : undefined;
      // The first rounds warm up the JIT.
      if (turn < 0) continue;
      page.push(whole.waited);
      unchanged.push(again.waited);
      statement.push(alone);
      found.push(narrowed.waited);
      if (list) places.push(list.waited);
    }
    console.log(`${members} members with ${eventsEach} events each, ${listed} events on the page, one request at a time.`);
    console.log(
      [
        said('Page', page),
        said('304', unchanged),
        said('narrowed by words and kind', found),
        said('places', places),
        said('bare statement', statement),
      ].join('; '),
    );
    console.log(
      `Ratio of the page to the bare statement: ${(median(page) / median(statement)).toFixed(2)}; p95 of the page ` +
        `${p95(page).toFixed(1)} ms, aim: under 50 ms.`,
    );
  } finally {
    agent.destroy();
    await server.stop();
    await bench.close();
  }
}
