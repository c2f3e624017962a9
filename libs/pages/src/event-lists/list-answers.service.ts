import { Injectable } from '@nestjs/common';
import { FairLimit, serverBusy } from '#kernel';
import { currentTenant } from '#tenancy';
import { LRUCache } from 'lru-cache';

/** Lists cost much more than other pages: two at a time for each tenant leave connections and processor time to its door and to others. */
const limits = { total: 4, each: 2, waiting: 100, waitMs: 10_000, refuse: serverBusy };
const keptCharacters = 32_000_000;

/**
 * Public lists of events (agendas, feeds, calendars, sitemaps): how many are made at the same time, and what was made before.
 * A body is kept by its entity tag, which changes with everything that the body shows; so nothing that is kept is ever out of date.
 */
@Injectable()
export class ListAnswersService {
  private readonly limit = new FairLimit(limits);
  private readonly bodies = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: (body, tag) => body.length + tag.length,
  });
  /** Work that requests wait for, by tenant and key: those that come meanwhile wait for the same. */
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
   * The body with this entity tag.
   * @param make makes it when it is not kept
   * @param tagNow the tag of the present state; when it is another one by the time the body is made, the body is not kept
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
