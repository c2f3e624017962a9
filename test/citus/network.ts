import { EventsService, PricesService, ProductsService } from '#catalogue';
import { CardsService } from '#cards';
import { MembershipsService } from '#memberships';
import { NetworksService } from '#places';
import { runInTenant, TenantDb, TenantRemovalService, TenantsService, type TenantIdentity } from '#tenancy';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { call } from '../faults/calls.js';
import { until } from '../faults/processes.js';
import { createVenue, type Venue } from '../faults/venue.js';
import type { Cluster } from './support/cluster.js';
import { Installation } from './support/installation.js';
import { openProgram } from './support/program.js';

const tag = '04A1B2C3D4E5F6';

/** A network with a member on each node: agenda, cards and removal. */
export async function runNetwork(cluster: Cluster): Promise<readonly string[]> {
  const installation = await Installation.open(cluster);
  const program = await openProgram(installation);
  try {
    return await prove(installation, program);
  } finally {
    await program.close();
    await installation.close();
  }
}

async function prove(installation: Installation, program: NestExpressApplication): Promise<string[]> {
  const wrong: string[] = [];
  const tenants = program.get(TenantsService);
  const network = await tenants.create({ slug: 'coast', name: 'Coast', category: 'M' });
  const venues: Venue[] = [];
  for (const slug of ['north', 'south']) venues.push(await createVenue(installation, 1, slug));
  const members = await Promise.all(venues.map(async (venue) => (await tenants.bySlug(venue.tenant)) as TenantIdentity));
  const nodes = new Set(members.map(({ node }) => node));
  console.log(`The network is on node ${network.node}, its members are on ${members.map(({ node }) => node).join(' and ')}.`);
  if (nodes.size !== members.length) wrong.push('the members are on one node');

  const networks = program.get(NetworksService);
  for (const member of members) {
    await runInTenant(member, () => networks.ask(network.id, { sentTags: [] }));
    await runInTenant(network, () => networks.accept(member.id));
    await runInTenant(member, () => program.get(EventsService).create({ name: `Evening of ${member.slug}`, startsAt: tomorrow() }));
  }
  const agenda = async (): Promise<string[]> => {
    const { status, body } = await call({ port: installation.port, host: network.host, method: 'GET', path: '/agenda.json' });
    if (status !== 200) throw new Error(`The agenda answers ${status}`);
    return members.map(({ slug }) => slug).filter((slug) => JSON.stringify(body).includes(`Evening of ${slug}`));
  };
  await until('the agenda has the events of both members', 30, async () => (await agenda()).length === members.length);
  console.log('Its agenda has the events of both.');

  const { ownerEmail } = await program.get(CardsService).create({ tag, ownerEmail: 'ada@example.org' });
  for (const [index, venue] of venues.entries()) {
    await runInTenant(members[index] as TenantIdentity, () => enrol(program, ownerEmail ?? ''));
    const headers = { authorization: venue.devices[0]?.authorization ?? '' };
    const scan = { port: installation.port, host: venue.host, method: 'POST', path: '/scan/check_ticket/', headers };
    const { status, body } = await call({ ...scan, body: { qrcode_data: tag } });
    if (status !== 200 || !body['membership']) wrong.push(`the card at ${venue.host}: ${status} ${JSON.stringify(body)}`);
  }
  console.log('One card shows the membership of its owner at the doors of both.');

  await runInTenant(network, () => networks.remove((members[0] as TenantIdentity).id));
  await until('the agenda lacks the events of the removed member', 5, async () => !(await agenda()).includes('north'));
  if (!(await agenda()).includes('south')) wrong.push('the removal of one member took the events of the other');
  await installation.cli('tenant', 'delete', 'south', '--confirm', 'south');
  await until('the agenda lacks the events of the deleted tenant', 5, async () => (await agenda()).length === 0);
  await installation.query(0, `update shared.tenant set delete_after = now() where slug = 'south'`);
  await program.get(TenantDb).onEachNode(() => program.get(TenantRemovalService).removeDue());
  for (const [node] of installation.cluster.servers.entries()) {
    const [found] = await installation.query<{ count: number }>(node, 'select count(*)::int as count from shared.federated_event');
    if (found?.count !== 0) wrong.push(`node ${node} has ${found?.count} events of members that are gone`);
  }
  console.log('A removed member and a deleted tenant leave the agenda on all nodes.');
  return wrong;
}

async function enrol(program: NestExpressApplication, email: string): Promise<void> {
  const { id } = await program.get(ProductsService).create({ name: 'Friends', category: 'A' });
  const price = await program.get(PricesService).create({ productId: id, name: 'Year', amount: '0', subscriptionType: 'Y' });
  await program.get(MembershipsService).create({ priceId: price.id, email, firstName: 'Ada', lastName: 'Martin' });
}

const tomorrow = (): Date => new Date(Date.now() + 86_400_000);
