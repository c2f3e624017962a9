import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService, PostalAddressesService } from '#catalogue';
import { FederatedEventsService, NetworksService } from '#places';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { agendaDrifts, eventually, joinNetwork, publicEvent } from '../support/federation.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let network: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  network = await test.newTenant({ category: 'M' });
});
afterAll(() => test.close());

const networks = (): NetworksService => test.app.get(NetworksService);
const rowsOf = ({ id }: TenantIdentity): Promise<unknown[]> =>
  test.database.query('select 1 from shared.federated_event where tenant_id = $1', [id]);
const copyAll = (tenant: TenantIdentity): Promise<void> => test.inside(tenant, () => test.app.get(FederatedEventsService).copyAll());

/** Creates an event in a transaction that commits only after `meanwhile` has finished or waits for a lock. */
async function whileAnEventIsMade(tenant: TenantIdentity, meanwhile: () => Promise<unknown>): Promise<void> {
  let other: Promise<unknown> | undefined;
  let done = false;
  await test.inside(tenant, () =>
    test.app.get(TenantDb).transaction(async (tx) => {
      await test.app.get(EventsService).createIn(tx, { name: 'Between', startsAt: new Date('2033-01-01T20:00:00Z') });
      other = meanwhile().finally(() => (done = true));
      await eventually(async () => {
        const waiting = await test.database.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
        return done || waiting.length > 0;
      });
    }),
  );
  await other;
}

/**
 * Each test was verified to fail without its lock of `federation-locks.ts`: the first two without the shared lock, the third without the
 * row locks.
 */
describe('events of a tenant that joins or leaves at the same time', () => {
  it('leaves no row of an event that is created while the tenant leaves', async () => {
    const tenant = await test.newTenant();
    await joinNetwork(test, network, tenant);
    await whileAnEventIsMade(tenant, () => test.inside(tenant, () => networks().leave(network.id)));
    expect(await rowsOf(tenant)).toEqual([]);
  });

  it('misses no event that is created while the tenant is accepted', async () => {
    const tenant = await test.newTenant();
    await test.inside(tenant, () => networks().ask(network.id, { sentTags: [] }));
    await whileAnEventIsMade(tenant, async () => {
      await test.inside(network, () => networks().accept(tenant.id));
      await copyAll(tenant);
    });
    expect(await rowsOf(tenant)).toHaveLength(1);
    expect(await agendaDrifts(test, tenant)).toEqual([]);
  });

  it('shows the last state of an event whose address changes at the same time', async () => {
    const tenant = await test.newTenant();
    await joinNetwork(test, network, tenant);
    const addresses = test.app.get(PostalAddressesService);
    const { id: address } = await test.inside(tenant, () =>
      addresses.create({
        streetAddress: '1 quai',
        addressLocality: 'Nantes',
        postalCode: '44000',
        addressCountry: 'FR',
      }),
    );
    const events = await Promise.all([1, 2, 3].map(() => publicEvent(test, tenant, { postalAddressId: address })));
    for (let round = 0; round < 15; round += 1) {
      await test.inside(tenant, () =>
        Promise.all([
          addresses.update(address, { addressLocality: `Town ${round}` }),
          ...events.map(({ id }, index) =>
            test.app.get(EventsService).update(id, { shortDescription: `Round ${round}`, published: (round + index) % 3 > 0 }),
          ),
        ]),
      );
    }
    expect(await agendaDrifts(test, tenant)).toEqual([]);
  });

  it('matches the events after any mixture of changes, requests, answers and departures', async () => {
    const tenant = await test.newTenant();
    const events = await Promise.all([1, 2, 3, 4].map(() => publicEvent(test, tenant, { keywords: ['Jazz'] })));
    for (let round = 0; round < 10; round += 1) {
      await test.inside(tenant, () =>
        networks()
          .ask(network.id, { sentTags: [] })
          .catch(() => undefined),
      );
      await Promise.all([
        test.inside(network, () => networks().accept(tenant.id)).then(() => copyAll(tenant)),
        test.inside(tenant, () => networks().send(network.id, round % 2 ? ['jazz'] : ['folk'])),
        ...events.map(({ id }, index) =>
          test.inside(tenant, () =>
            test.app
              .get(EventsService)
              .update(id, { keywords: [(round + index) % 2 ? 'Jazz' : 'Folk'], isPrivate: (round + index) % 3 === 0 }),
          ),
        ),
        ...(round % 2 ? [test.inside(tenant, () => networks().leave(network.id))] : []),
      ]);
      // Only rows that the background job will copy may be missing.
      const wrong = (await agendaDrifts(test, tenant)) as { kind: string }[];
      expect(wrong.filter(({ kind }) => kind !== 'missing')).toEqual([]);
      await copyAll(tenant);
      expect(await agendaDrifts(test, tenant)).toEqual([]);
    }
  });
});
