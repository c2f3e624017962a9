import { Injectable } from '@nestjs/common';
import { FairLimit, serverBusy } from '#kernel';
import { currentTenant } from '#tenancy';
import { LRUCache } from 'lru-cache';

/** Lists take much longer than other pages. Two per tenant leave connections and processor time for scanning and for other tenants. */
const limits = { total: 4, each: 2, waiting: 100, waitMs: 10_000, refuse: serverBusy };
const keptCharacters = 32_000_000;

/**
 * Limits how many public lists of events (agendas, feeds, calendars, sitemaps) are rendered at the same time, and caches them. The key of
 * the cache is the entity tag, which changes with the content, so a cached list is never outdated.
 */
@Injectable()
export class ListAnswersService {
  private readonly limit = new FairLimit(limits);
  private readonly bodies = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: (body, tag) => body.length + tag.length,
  });
  /** Running work by tenant and key. Simultaneous requests share it. */
  private readonly underWay = new Map<string, Promise<unknown>>();

  /**
   * Does work for a list in turns of the current tenant. Simultaneous calls with the same key share one execution and its result.
   * @throws Problem 503 `server.busy`
   */
  share<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const name = `${currentTenant().id} ${key}`;
    const known = this.underWay.get(name) as Promise<Result> | undefined;
    if (known) return known;
    const made = this.limit.run(work).finally(() => this.underWay.delete(name));
    this.underWay.set(name, made);
    return made;
  }

  /**
   * Returns the body with this entity tag.
   * @param make renders it when it is not cached
   * @param tagNow reads the current tag; when it changed during the rendering, the body is not cached
   * @throws Problem 503 `server.busy`
   */
  async body(tag: string, make: () => Promise<string>, tagNow: () => Promise<string>): Promise<string> {
    const name = `${currentTenant().id} ${tag}`;
    const kept = this.bodies.get(name);
    if (kept !== undefined) return kept;
    return this.share(tag, async () => {
      const body = await make();
      if ((await tagNow()) === tag) this.bodies.set(name, body);
      return body;
    });
  }
}
