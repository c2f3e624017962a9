import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Event, EventSeries, EventsService, PostalAddress, PricesService, ProductsService } from '#catalogue';
import { hashToken, ScanningDevice } from '#scan';
import type { Tx } from '#tenancy';
import { In } from 'typeorm';
import type { OfferedPrice, StagedEvent } from './demo-bookings.js';
import { day, minute, type DemoClock } from '../basics/demo-clock.js';
import { insertAll } from './demo-rows.js';
import type { DemoEvent, DemoPrice, DemoTenant } from '../basics/demo-tenant.js';

interface Catalogue {
  /** Products by name. */
  readonly products: ReadonlyMap<string, { readonly id: string; readonly prices: readonly OfferedPrice[] }>;
  /** Ids of addresses by name. */
  readonly places: ReadonlyMap<string | null, string>;
}

/** Creates what a tenant needs before bookings: catalogue, addresses, events, scanning devices. */
@Injectable()
export class DemoStage {
  constructor(
    private readonly products: ProductsService,
    private readonly prices: PricesService,
    private readonly events: EventsService,
  ) {}

  /** Uses the services, which validate their input. @returns the events in the order of the programme */
  async setUpEvents(tx: Tx, demo: DemoTenant, clock: DemoClock): Promise<StagedEvent[]> {
    const catalogue = { products: await this.stock(tx, demo, clock), places: await addressesOf(tx, demo) };
    const staged: StagedEvent[] = [];
    for (const event of demo.events) staged.push(await this.announce(tx, event, catalogue, clock));
    // Behind all others, because the order of the events decides about the bookings of a seed.
    for (const [index, event] of demo.events.entries()) {
      if (event.furtherWeeks) staged.push(...(await this.repeat(tx, event, staged[index] as StagedEvent, catalogue, clock)));
    }
    return staged;
  }

  /**
   * Creates devices without a key: a paired one looks as if it were paired, and staff renew it to pair a real one. Inserted directly,
   * because the service's own transaction would remain when this one fails.
   * @returns the ids of the devices that scan
   */
  async setUpDevices(tx: Tx, demo: DemoTenant, now: Date): Promise<string[]> {
    const ago = (milliseconds: number): Date => new Date(now.getTime() - milliseconds);
    const rows = demo.devices.map(({ name, paired }) => ({
      id: randomUUID(),
      name,
      pairingTokenHash: hashToken(randomBytes(32).toString('base64url')),
      pairingExpiresAt: paired ? ago(40 * day - 60 * minute) : ago(-60 * minute),
      claimedAt: paired ? ago(40 * day - 3 * minute) : null,
      createdAt: ago(paired ? 40 * day : 0),
    }));
    await insertAll(tx, ScanningDevice, rows);
    return rows.filter(({ claimedAt }) => claimedAt !== null).map(({ id }) => id);
  }

  private async stock(tx: Tx, demo: DemoTenant, clock: DemoClock): Promise<Catalogue['products']> {
    const stocked = new Map<string, { id: string; prices: OfferedPrice[] }>();
    let membershipId: string | null = null;
    for (const { prices, ...product } of demo.products) {
      const { id } = await this.products.createIn(tx, product);
      if (product.category === 'A') membershipId ??= id;
      stocked.set(product.name, { id, prices: await this.offer(tx, { productId: id, membershipId }, prices, clock) });
    }
    return stocked;
  }

  /** @returns the prices at which tickets are sold */
  private async offer(
    tx: Tx,
    { productId, membershipId }: { readonly productId: string; readonly membershipId: string | null },
    prices: readonly DemoPrice[],
    clock: DemoClock,
  ): Promise<OfferedPrice[]> {
    const offered: OfferedPrice[] = [];
    for (const { share, membersOnly, opens, ...price } of prices) {
      const requiredMembershipId = membersOnly ? membershipId : null;
      const { id, amount, maxPerUser } = await this.prices.createIn(tx, {
        ...price,
        productId,
        requiredMembershipId,
        ...(opens && { salesFrom: clock.at(...opens) }),
      });
      if (share) offered.push({ id, amount, maxPerUser, share });
    }
    return offered;
  }

  /** Makes a series of an event: the same on the same day of the next weeks. @returns the further dates */
  private async repeat(tx: Tx, event: DemoEvent, first: StagedEvent, catalogue: Catalogue, clock: DemoClock): Promise<StagedEvent[]> {
    const { starts, furtherWeeks = 0, name } = event;
    if (starts === 'running') return [];
    const [days, time] = starts;
    const id = randomUUID();
    await tx.insert(EventSeries, { id, name, slug: slugOf(name, id) });
    const dates: StagedEvent[] = [];
    for (let week = 1; week <= furtherWeeks; week += 1) {
      const date = { ...event, starts: [days + 7 * week, time], sold: 0 } as const;
      dates.push(await this.announce(tx, date, catalogue, clock));
    }
    await tx.update(Event, { id: In([first, ...dates].map((date) => date.id)) }, { seriesId: id });
    return dates;
  }

  private async announce(tx: Tx, event: DemoEvent, catalogue: Catalogue, clock: DemoClock): Promise<StagedEvent> {
    const { starts, lastsMinutes, sold, demand, begins, place, sells, arrivals, waiting = 0, doorsMinutesBefore, ...more } = event;
    const { picture: _, gallery: __, cancelled: ___, furtherWeeks: ____, ...rest } = more;
    const startsAt = starts === 'running' ? clock.runningSince : clock.at(...starts);
    const after = (minutes: number): Date => new Date(startsAt.getTime() + minutes * minute);
    const { id, scanOpensMinutesBefore, maxPerUser } = await this.events.createIn(tx, {
      ...rest,
      startsAt,
      endsAt: after(lastsMinutes),
      ...(doorsMinutesBefore !== undefined && { doorsAt: after(-doorsMinutesBefore) }),
      postalAddressId: named(catalogue.places, place),
    });
    const products = sells.map((name) => named(catalogue.products, name));
    const productIds = products.map((product) => product.id);
    await this.events.linkProducts(tx, id, productIds);
    const [first, last] = arrivals ?? [-45, 20];
    // A running event already has visitors, even when the tenant's day began a minute ago.
    const latest = starts === 'running' ? clock.now.getTime() - 30 * minute : Infinity;
    return {
      id,
      startsAt,
      scanOpensAt: scanOpensMinutesBefore === null ? null : after(-scanOpensMinutesBefore),
      sold,
      maxPerUser,
      demand: demand ?? 'usual',
      begins: begins ?? [],
      waiting,
      prices: products.flatMap((product) => product.prices),
      doors: [new Date(Math.min(after(first).getTime(), latest)), after(last)],
    };
  }
}

/** As of every series: its name and the first eight hex digits of its id. */
const slugOf = (name: string, id: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${id.slice(0, 8)}`;

async function addressesOf(tx: Tx, demo: DemoTenant): Promise<Catalogue['places']> {
  const places = new Map<string | null, string>();
  for (const address of demo.addresses) {
    const { identifiers } = await tx.insert(PostalAddress, { ...address });
    places.set(address.name, (identifiers[0] as { id: string }).id);
  }
  return places;
}

function named<Name, Item>(items: ReadonlyMap<Name, Item>, name: Name): Item {
  const item = items.get(name);
  if (item === undefined) throw new Error(`the demo names "${String(name)}", which it does not make`);
  return item;
}
