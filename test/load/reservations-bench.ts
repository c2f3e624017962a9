import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createFixture } from './bench-fixture.js';
import { median } from './bench-figures.js';
import { keyOf } from './booking-bench.js';
import { startServer } from './scan-bench.js';

const reservations = 20_000;

/** The response of the list, built by PostgreSQL. */
const bareList = (schema: string): string => `select json_agg(row) as body from (
  select r.id as uuid, r.created_at as datetime, r.email as user_mail, r.event_id as event, r.status,
    coalesce(o.ids, '{}') as options, coalesce(t.ids, '{}') as tickets, coalesce(p.ids, '{}') as paiements
  from "${schema}".reservation r
  left join (select reservation_id, array_agg(option_id) as ids from "${schema}".reservation_option group by 1) o on o.reservation_id = r.id
  left join (select reservation_id, array_agg(id order by position, id) as ids from "${schema}".ticket
    group by 1) t on t.reservation_id = r.id
  left join (select reservation_id, array_agg(id order by created_at) as ids from "${schema}".payment
    group by 1) p on p.reservation_id = r.id
  order by r.created_at desc, r.id desc) row`;

/**
 * The lists of all reservations compared with a plain statement that builds the same JSON, in alternating rounds; and the latency of
 * another request meanwhile.
 */
export async function runReservationsBench(): Promise<void> {
  const fixture = await createFixture(3 * (reservations - 1), 0);
  const server = await startServer(fixture);
  try {
    const { tenant, pool: sql } = fixture;
    await sql.query(`analyze "${tenant.schemaName}".reservation`);
    const headers = { host: tenant.host, authorization: await keyOf(fixture, tenant) };
    const ask = async (path: string): Promise<unknown> => {
      const asked = get({ host: '127.0.0.1', port: server.port, path, headers });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
      return json(answer);
    };
    const figures: Record<string, { ours: number[]; waited: number[] }> = {};
    const bare: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      for (const path of ['/api/reservations/', '/api/v2/reservations/']) {
        const { ours, waited } = (figures[path] ??= { ours: [], waited: [] });
        const started = performance.now();
        const over = new AbortController();
        const listing = ask(path).finally(() => over.abort());
        let longest = 0;
        const others = (async () => {
          while (!over.signal.aborted) {
            const asked = performance.now();
            await ask('/live');
            longest = Math.max(longest, performance.now() - asked);
          }
        })();
        const listed = (await listing) as unknown[] | { results: unknown[] };
        ours.push(performance.now() - started);
        await others;
        waited.push(longest);
        const { length } = Array.isArray(listed) ? listed : listed.results;
        if (length !== reservations) throw new Error(`${path}: ${length} reservations`);
      }
      const started = performance.now();
      const { rows } = await sql.query<{ body: unknown[] }>(bareList(tenant.schemaName));
      bare.push(performance.now() - started);
      if (rows[0]?.body.length !== reservations) throw new Error('The bare statement lists something else.');
    }
    console.log(`${reservations} reservations with three tickets each; bare select json_agg: ${median(bare).toFixed(0)} ms.`);
    for (const [path, { ours, waited }] of Object.entries(figures))
      console.log(
        `${path}: median ${median(ours).toFixed(0)} ms. Ratio: ${(median(ours) / median(bare)).toFixed(2)}. ` +
          `Another request waited ${median(waited).toFixed(0)} ms at most.`,
      );
  } finally {
    await server.stop();
    await fixture.close();
  }
}
