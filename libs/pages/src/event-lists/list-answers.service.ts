import { Injectable } from '@nestjs/common';
import { currentLanguage, serverBusy, SharedTurns, TenantCache } from '#kernel';

/**
 * Reading the state takes much less time than rendering the body, and every request needs it. It has its own limit, so that cached bodies
 * are answered while other bodies are rendered.
 */
const stateLimits = { total: 6, each: 3, waiting: 300, waitingOfNetwork: 60, waitMs: 10_000, refuse: serverBusy };
/**
 * Lists take much longer than other pages. Two per tenant leave connections and processor time for scanning and for other tenants. The
 * queue is at least as long as that of the states, so that a request which waited there is not refused here.
 */
const bodyLimits = { total: 4, each: 2, waiting: 300, waitingOfNetwork: 75, waitMs: 10_000, refuse: serverBusy };
/** In characters. The part of a tenant has room for its lists in four languages. */
const keptCharacters = { total: 32_000_000, each: 8_000_000 };

/** A request for a public list. */
export interface ListAnswer<State extends ListState> {
  /** Path and known parameters. The language is added to it. */
  readonly key: string;
  /** Reads the present state. */
  readonly state: () => Promise<State>;
  readonly make: (state: State) => Promise<string>;
}

export interface ListState {
  /** The entity tag. It depends on all content of the body, also on path and language. */
  readonly tag: string;
}

/**
 * Limits how many public lists (agendas, feeds, calendars, sitemaps, places) are rendered at the same time, and caches them. The key of
 * the cache is the entity tag, which changes with the content, so a cached list is never outdated.
 */
@Injectable()
export class ListAnswersService {
  private readonly states = new SharedTurns(stateLimits);
  private readonly making = new SharedTurns(bodyLimits);
  private readonly bodies = new TenantCache<string>(keptCharacters);

  /**
   * Reads the state of a list. Simultaneous requests for the same list share one execution.
   * @returns the state, and a function that returns the body from the cache or renders it. A body is cached only when the state did not
   *   change during the rendering
   * @throws Problem 503 `server.busy`; so does `body`
   */
  async answer<State extends ListState>({
    key,
    state,
    make,
  }: ListAnswer<State>): Promise<{ readonly state: State; readonly body: () => Promise<string> }> {
    const known = await this.states.run(`${currentLanguage()} ${key}`, state);
    const { tag } = known;
    const body = async (): Promise<string> => {
      const kept = this.bodies.get(tag);
      if (kept !== undefined) return kept;
      return this.making.run(tag, async () => {
        const made = await make(known);
        if ((await state()).tag === tag) this.bodies.set(tag, made);
        return made;
      });
    };
    return { state: known, body };
  }
}
