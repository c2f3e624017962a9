import { Injectable } from '@nestjs/common';
import { currentLanguage, serverBusy, SharedReading, TenantCache } from '#kernel';
import { limits } from '../limits.js';

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
  private readonly states = new SharedReading<ListState>({ ...limits.listStates.turns, refuse: serverBusy });
  private readonly bodies = new SharedReading(
    { ...limits.lists.turns, refuse: serverBusy },
    new TenantCache<string>(limits.keptLists.kept),
  );

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
    const known = await this.states.read(`${currentLanguage()} ${key}`, state);
    const { tag } = known;
    const isStill = async (): Promise<boolean> => (await state()).tag === tag;
    const body = async (): Promise<string> => this.bodies.kept(tag) ?? this.bodies.read(tag, () => make(known), isStill);
    return { state: known, body };
  }
}
