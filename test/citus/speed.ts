import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { EventsService } from '#catalogue';
import { readSettings } from '#kernel';
import { NetworksService } from '#places';
import { attemptStatement } from '#scan';
import { runInTenant, SpareSchemasService, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { call } from '../faults/calls.js';
import { createVenue, type Venue } from '../faults/venue.js';
import { median } from '../load/bench-figures.js';
import { withoutRateLimits } from '../load/scan-bench.js';
import type { Cluster } from './support/cluster.js';
import { Installation } from './support/installation.js';
import { openProgram } from './support/program.js';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 9);
const bookings = 10;
const creations = 3;
const events = 30;

/** What is measured, with the aim for the time on the cluster divided by that on plain PostgreSQL. */
const aims = { sql: 1 / 0.8, scan: 1 / 0.8, booking: 1 / 0.8, agenda: 1.3, creation: 3 };
type Times = Record<keyof typeof aims, number>;

interface Side {
  readonly installation: Installation;
  readonly program: NestExpressApplication;
  readonly venue: Venue;
  readonly tenant: TenantIdentity;
  readonly network: TenantIdentity;
  /** Of the tenant's node. */
  readonly client: pg.Client;
}

/** Median times in rounds that alternate between the cluster and plain PostgreSQL of the same build. PROOF_ROUNDS: how many. */
export async function runSpeed(cluster: Cluster): Promise<readonly string[]> {
  const sides = [await open(cluster, false), await open(cluster, true)] as const;
  try {
    const ratios: Times[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const first = round % 2 === 0 ? sides[0] : sides[1];
      const one = await measure(first);
      const other = await measure(first === sides[0] ? sides[1] : sides[0]);
      const [citus, plain] = first === sides[0] ? [one, other] : [other, one];
      // The first round warms up.
      if (round < 0) continue;
      ratios.push(each((name) => citus[name] / plain[name]));
      const said = Object.keys(aims).map(
        (name) => `${name} ${citus[name as keyof Times].toFixed(1)}/${plain[name as keyof Times].toFixed(1)}`,
      );
      console.log(`  round ${round + 1}, milliseconds on Citus/plain: ${said.join(' · ')}`);
    }
    const medians = each((name) => median(ratios.map((ratio) => ratio[name])));
    console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}.`);
    const names = Object.keys(aims) as (keyof Times)[];
    for (const name of names) {
      const verdict = medians[name] > aims[name] ? 'MISSED' : 'held';
      console.log(`${name}: ${medians[name].toFixed(2)} times as long, aim: at most ${aims[name].toFixed(2)}: ${verdict}`);
    }
    return names.filter((name) => medians[name] > aims[name]).map((name) => `${name} takes ${medians[name].toFixed(2)} times as long`);
  } finally {
    for (const { client, program, installation } of sides) {
      await client.end();
      await program.close();
      await installation.close();
    }
  }
}

const each = (of: (name: keyof Times) => number): Times => ({
  sql: of('sql'),
  scan: of('scan'),
  booking: of('booking'),
  agenda: of('agenda'),
  creation: of('creation'),
});

async function open(cluster: Cluster, plain: boolean): Promise<Side> {
  const quotas = { QUOTA_BOOKINGS: '0', QUOTA_MAILS: '0', QUOTA_MEGABYTES: '0' };
  const installation = await Installation.open(cluster, { ...withoutRateLimits, ...quotas }, plain);
  const program = await openProgram(installation);
  const venue = await createVenue(installation, 1, 'hall');
  const tenants = program.get(TenantsService);
  const tenant = (await tenants.bySlug('hall')) as TenantIdentity;
  const network = await tenants.create({ slug: 'coast', name: 'Coast', category: 'M' });
  await runInTenant(tenant, () => program.get(NetworksService).ask(network.id, { sentTags: [] }));
  await runInTenant(network, () => program.get(NetworksService).accept(tenant.id));
  for (let number = 0; number < events; number += 1) {
    const startsAt = new Date(Date.now() + (number + 1) * 86_400_000);
    await runInTenant(tenant, () => program.get(EventsService).create({ name: `Evening ${number}`, startsAt }));
  }
  const client = new pg.Client({ connectionString: installation.urlOf(tenant.node) });
  // When the run is stopped.
  client.on('error', () => undefined);
  await client.connect();
  return { installation, program, venue, tenant, network, client };
}

async function measure(side: Side): Promise<Times> {
  const times: Record<keyof Times, number[]> = { sql: [], scan: [], booking: [], agenda: [], creation: [] };
  const timed = async <Result>(name: keyof Times, work: () => Promise<Result>): Promise<Result> => {
    const from = performance.now();
    const result = await work();
    times[name].push(performance.now() - from);
    return result;
  };
  for (let number = 0; number < bookings; number += 1) {
    const id = await timed('booking', () => book(side));
    const reservation = await ask(side, 'GET', `/api/v2/reservations/${id}/`, side.venue.authorization);
    const [first, second] = reservation['reservedTicket'] as { identifier: string; qrcode: string }[];
    const device = side.venue.devices[0]?.authorization ?? '';
    const scanned = await timed('scan', () => ask(side, 'POST', '/scan/ticket/', device, { qrcode_data: first?.qrcode }));
    if (scanned['success'] !== true) throw new Error(`The scan answers ${JSON.stringify(scanned)}`);
    await timed('sql', () => scanBySql(side, second?.identifier ?? ''));
    await expectScanned(side, second?.identifier ?? '');
    await timed('agenda', () =>
      call({ port: side.installation.port, host: side.network.host, method: 'GET', path: `/?q=Evening+${number}` }),
    );
  }
  for (let number = 0; number < creations; number += 1) {
    const { program } = side;
    await program.get(TenantDb).onEachNode(() => program.get(SpareSchemasService).fill());
    await timed('creation', () =>
      program.get(TenantsService).create({ slug: `n-${randomUUID().slice(0, 8)}`, name: 'New', category: 'S' }),
    );
  }
  return each((name) => median(times[name]));
}

async function book(side: Side): Promise<string> {
  const made = await ask(side, 'POST', '/api/v2/reservations/', side.venue.authorization, {
    reservationFor: { identifier: side.venue.eventId },
    underName: { email: `guest-${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
    reservedTicket: [{ identifier: side.venue.offerId, ticketQuantity: 2 }],
    confirmed: true,
    paymentMethod: 'cash',
  });
  return String(made['identifier']);
}

async function ask({ installation, venue }: Side, method: string, path: string, authorization: string, body?: object) {
  const sent = { port: installation.port, host: venue.host, method, path, headers: { authorization }, ...(body && { body }) };
  const answer = await call(sent);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The statement of a scan alone, on a connection to the tenant's node. */
async function scanBySql({ client, venue, tenant }: Side, ticketId: string): Promise<void> {
  const [device] = venue.devices;
  const facts = '{"language":"en","timeZone":"Europe/Paris","requestId":"proof"}';
  const keyId = device?.authorization.split('_')[1];
  const values = [ticketId, device?.id, keyId, 'scan', null, null, Buffer.alloc(32), null, null, facts, tenant.id, 0];
  const { text } = attemptStatement(readSettings({}));
  await client.query({ name: 'scan', text: text.replaceAll('{tenant}', `"${tenant.schemaName}"`), values });
}

async function expectScanned({ client, tenant }: Side, ticketId: string): Promise<void> {
  const { rows } = await client.query<{ status: string }>(`select status from "${tenant.schemaName}".ticket where id = $1`, [ticketId]);
  if (rows[0]?.status !== 'S') throw new Error(`The ticket ${ticketId} was not scanned by SQL`);
}
