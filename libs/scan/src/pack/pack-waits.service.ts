import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ServerLoad, ServerStop } from '#http';
import { currentClient, FairLimit, Kept, withoutContext } from '#kernel';
import { currentTenant, runInTenant } from '#tenancy';
import { limits } from '../limits.js';
import { packBusy } from '../model/scan.problems.js';
import { DoorSignals } from './door-signals.js';
import { EventWatch, type Found, type Look } from './event-watch.js';
import type { Known, PackLook } from '../pack-data/pack-look.js';

/**
 * Lets requests wait for changes of an event: one of each device, until something changed, time is up, or the client or the server leaves.
 */
@Injectable()
export class PackWaitsService implements OnModuleInit, OnModuleDestroy {
  /** By tenant, then by event. Only events for which requests wait. */
  private readonly watches = new Map<string, Map<string, EventWatch>>();
  /** Ends the wait of a device. */
  private readonly devices = new Map<string, () => void>();
  private readonly places = new FairLimit({ ...limits.packWaits.turns, refuse: packBusy });
  /** By tenant and event: devices that were just answered come back within a moment and need no look of their own. */
  private readonly lastLooks = new Kept<PackLook>(limits.keptLooks.kept);
  private ended = false;
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly signals: DoorSignals,
    private readonly stop: ServerStop,
    private readonly load: ServerLoad,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.signals.subscribe((tenantId) => this.watches.get(tenantId)?.forEach((watch) => watch.nudge()));
    this.stop.signal.addEventListener('abort', () => this.endAll());
  }

  onModuleDestroy(): void {
    this.unsubscribe();
    this.endAll();
  }

  /** The number of requests that wait in this process. */
  get size(): number {
    return this.devices.size;
  }

  /** The last look for requests that wait for an event, unless it is older than a second. */
  lastLook(eventId: string): PackLook | undefined {
    return this.lastLooks.get(`${currentTenant().id} ${eventId}`);
  }

  /**
   * Waits until the list of an event differs from what a device knows. An older wait of the device ends.
   * @param look reads what changed since a transaction, in the current tenant
   * @returns undefined when time is up, or the wait ended otherwise
   * @throws Problem 429 `pack.busy` when too many requests wait
   */
  async wait(deviceId: string, eventId: string, known: Known, ms: number, look: Look): Promise<Found | undefined> {
    this.devices.get(deviceId)?.();
    const client = currentClient();
    if (this.ended || client?.destroyed) return undefined;
    const tenant = currentTenant();
    const leavePlace = this.places.claim();
    let wake: (found: Found | undefined) => void = () => undefined;
    const woken = new Promise<Found | undefined>((resolve) => (wake = resolve));
    const cancel = (): void => wake(undefined);
    this.devices.set(deviceId, cancel);
    const timer = setTimeout(cancel, ms);
    client?.once('close', cancel);
    // The watch outlives this request and serves others: it runs in the tenant alone.
    const leave = this.watchOf(tenant.id, eventId).join(known, wake, async (since) => {
      const found = await withoutContext(() => runInTenant(tenant, () => look(since)));
      this.lastLooks.set(`${tenant.id} ${eventId}`, found);
      return found;
    });
    try {
      return await this.load.aside(() => woken);
    } finally {
      leave();
      clearTimeout(timer);
      client?.off('close', cancel);
      if (this.devices.get(deviceId) === cancel) this.devices.delete(deviceId);
      leavePlace();
    }
  }

  private watchOf(tenantId: string, eventId: string): EventWatch {
    const watches = this.watches.get(tenantId) ?? new Map<string, EventWatch>();
    this.watches.set(tenantId, watches);
    const known = watches.get(eventId);
    if (known) return known;
    const watch = new EventWatch(() => {
      watches.delete(eventId);
      if (watches.size === 0 && this.watches.get(tenantId) === watches) this.watches.delete(tenantId);
    });
    watches.set(eventId, watch);
    return watch;
  }

  private endAll(): void {
    this.ended = true;
    for (const watches of this.watches.values()) for (const watch of watches.values()) watch.end();
  }
}
