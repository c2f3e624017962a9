import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { runInTenant } from '#tenancy';
import { WebhookEndpointsService } from '#webhooks';
import { createFixture, type BenchDevice, type BenchFixture } from './bench-fixture.js';
import { median, percentile } from './bench-figures.js';
import { startProgram, type Started } from './bench-processes.js';
import { connections, perPhase, rounds, scanPhase, seconds, startServer, type Measured } from './scan-bench.js';

const endpoints = 5;
const rate = 200;

/** Adds endpoints that receive scans, all with the same sink. */
async function addEndpoints(fixture: BenchFixture, sink: Started, count: number): Promise<void> {
  await runInTenant(fixture.tenant, async () => {
    for (let number = 0; number < count; number += 1) {
      const url = `http://127.0.0.1:${sink.port}/${number}`;
      await fixture.app.get(WebhookEndpointsService).create({ url, types: ['ticket.scanned'] });
    }
  });
}

/** Removes all endpoints and their waiting deliveries. */
async function removeEndpoints(fixture: BenchFixture): Promise<void> {
  const { schemaName, id } = fixture.tenant;
  await fixture.pool.query(
    `begin; truncate "${schemaName}".webhook_endpoint, "${schemaName}".webhook_delivery, "${schemaName}".webhook_attempt;
     delete from shared.webhook_queue where tenant_id = '${id}'; commit`,
  );
}

async function ages(sink: Started): Promise<number[]> {
  return (await (await fetch(`http://127.0.0.1:${sink.port}/`)).json()) as number[];
}

async function outboxEmpty(fixture: BenchFixture): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    const { rows } = await fixture.pool.query('select 1 from shared.outbox limit 1');
    if (rows.length === 0) return;
    await delay(100);
  }
  throw new Error('The outbox did not become empty within a minute.');
}

/** Scans at an even rate, because the load generator would send each second's share at once. */
async function scanEvenly(fixture: BenchFixture, { port }: Started, from: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const [device] = fixture.devices as [BenchDevice];
  const scan = async (code: string): Promise<void> => {
    const headers = {
      host: fixture.tenant.host,
      'content-type': 'application/json',
      authorization: device.authorization,
    };
    const sent = request({ agent, port, host: '127.0.0.1', path: '/scan/ticket/', method: 'POST', headers });
    sent.end(JSON.stringify({ qrcode_data: code }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    if (response.statusCode !== 200) throw new Error(`a scan was answered ${response.statusCode}`);
  };
  const codes = await fixture.codes(from, rate * seconds);
  const began = performance.now();
  const scans: Promise<void>[] = [];
  for (const [index, code] of codes.entries()) {
    await delay(Math.max(0, began + (index * 1000) / rate - performance.now()));
    scans.push(scan(code));
  }
  await Promise.all(scans);
  agent.destroy();
}

/**
 * The cost and delay of webhooks: scans per second with five endpoints and with none, in alternating rounds; and the age of events at the
 * receiver at 200 scans per second.
 */
export async function runWebhookBench(): Promise<void> {
  const fixture = await createFixture(perPhase * (rounds * 2 + 2), 8);
  const programs: Started[] = [];
  try {
    const server = await startServer(fixture, { OUTBOUND_ALLOW: '127.0.0.0/8' });
    programs.push(server);
    const sink = await startProgram(['dist/test/load/webhook-sink.js'], {}, /listening (\d+)/);
    programs.push(sink);
    let from = 0;
    const phase = (): number => {
      from += perPhase;
      return from - perPhase;
    };
    await scanPhase(fixture, server, phase());
    await outboxEmpty(fixture);

    await addEndpoints(fixture, sink, 1);
    await scanEvenly(fixture, server, phase());
    await delay(2000);
    const lags = await ages(sink);
    console.log(
      `Age of an event at its receiver at ${rate} scans/s, one endpoint, ${lags.length} events: p50 ${percentile(lags, 50)} ms, p99 ` +
        `${percentile(lags, 99)} ms, worst ${Math.max(...lags)} ms; aim: p99 under 1000 ms.`,
    );
    await removeEndpoints(fixture);
    if (process.env['LAG_ONLY']) return;

    console.log(
      `Scans per second, ${rounds} rounds of ${seconds} s each, ${connections} connections, worker inside the server. ` +
        `${cpus().length} cores shared by load generator, server, PostgreSQL and receiver.`,
    );
    const without: Measured[] = [];
    const withThem: Measured[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      without.push(await scanPhase(fixture, server, phase()));
      await outboxEmpty(fixture);
      await addEndpoints(fixture, sink, endpoints);
      withThem.push(await scanPhase(fixture, server, phase()));
      const delivered = (await ages(sink)).length;
      const [last, lastWith] = [without.at(-1), withThem.at(-1)] as [Measured, Measured];
      console.log(
        `  round ${round}: none ${last.perSecond.toFixed(0)}/s (p99 ${last.p99} ms) · ${endpoints} endpoints ` +
          `${lastWith.perSecond.toFixed(0)}/s (p99 ${lastWith.p99} ms), ${delivered} deliveries meanwhile`,
      );
      await outboxEmpty(fixture);
      await removeEndpoints(fixture);
      await ages(sink);
    }
    const speed = (all: Measured[]): number => median(all.map(({ perSecond }) => perSecond));
    console.log(`Ratio with to without (median): ${(speed(withThem) / speed(without)).toFixed(2)}   aim: at least 0.90`);
  } finally {
    for (const program of programs) await program.stop();
    await fixture.close();
  }
}
