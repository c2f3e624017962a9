import type { Entry } from '../journal/entry.js';
import { shownByList } from '../journal/own-moves.js';
import { NoAnswer, type Answer } from '../network/api.js';
import { problemDetail, refusalCode } from '../network/problems.js';
import { instant } from '../network/instants.js';
import { Alarm, backoff, pause } from '../network/pauses.js';
import { applyDelta, packOf, type Pack } from '../pack/pack.js';
import { openPack, PackError, type PackPayload } from '../pack/payload.js';
import { isFull } from '../storage/database.js';
import { DoorError } from '../types.js';
import type { Door } from '../door/door.js';
import type { ClockMark } from '../door/lease.js';

/** Seconds for which the server may hold a request for changes. */
const longestWait = 25;
const timeout = 20_000;
/** Answers without a change come at most this often, in milliseconds. */
const leastBetween = 500;

/** A request for the list: its number, and when it began. */
interface Asking {
  readonly request: number;
  readonly began: ClockMark;
}

/** Keeps the list of the open event: whole at first, then its changes as they happen. */
export class ListKeeper {
  private readonly alarm = new Alarm();
  private polling = new AbortController();
  private etag: string | null = null;
  private needsFull = false;
  /** The next request does not wait for a change: its answer says which movements of this device the list shows. */
  private hurries = false;

  /** Is called when a request for changes got no answer. */
  onFailure: () => void = () => {};
  /** Is called after each answer to a request for changes: every half minute, and when something changed. */
  onAnswer: () => void = () => {};

  constructor(private readonly door: Door) {}

  /** The network came back, or something else makes a look worth it. @param full also when nothing else says so */
  kick(full = false): void {
    this.needsFull ||= full;
    this.hurries = true;
    this.polling.abort();
    this.alarm.ring();
  }

  /**
   * Gets the list of an event and opens it.
   * @param patience milliseconds that it may take @throws DoorError `offline`, `failed`, or the code of the server's problem
   */
  async open(eventId: string, signal: AbortSignal, patience = timeout): Promise<void> {
    this.etag = null;
    const request = (this.door.requests += 1);
    const began = this.door.lease.mark;
    let answer: Answer;
    try {
      answer = await this.door.api.get(this.pathOf(eventId), { timeout: patience, signal });
    } catch (error) {
      if (error instanceof NoAnswer) throw new DoorError('offline');
      throw error;
    }
    if (answer.status !== 200) throw new DoorError(refusalCode(answer), problemDetail(answer));
    try {
      await this.take(answer, { request, began }, undefined);
    } catch (error) {
      if (error instanceof PackError) throw new DoorError('failed');
      throw new DoorError(isFull(error) ? 'full' : 'failed');
    }
  }

  /** Follows the changes until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const { pack } = this.door;
      if (!pack || this.door.watch.kind === 'offline') {
        await this.alarm.wait(5000, signal);
        continue;
      }
      const began = performance.now();
      const wait = await this.follow(pack, signal).catch(() => null);
      failures = wait === null ? failures + 1 : 0;
      const least = wait === null ? backoff(failures, 1000, 30_000) : Math.max(wait, began + leastBetween - performance.now());
      if (wait !== null && wait > 0) await pause(wait, signal);
      else if (least > 0 && (wait === null || !this.needsFull)) await this.alarm.wait(least, signal);
    }
  }

  /** One request for changes. @returns milliseconds that the server asks to wait; null: it failed */
  private async follow(pack: Pack, signal: AbortSignal): Promise<number | null> {
    const full = this.needsFull;
    const wait = this.hurries ? 0 : longestWait;
    this.needsFull = false;
    this.hurries = false;
    this.polling = new AbortController();
    const stop = (): void => this.polling.abort();
    signal.addEventListener('abort', stop);
    const asking = { request: (this.door.requests += 1), began: this.door.lease.mark };
    try {
      const asked = { timeout: timeout + longestWait * 1000, signal: this.polling.signal, etag: full ? this.etag : null };
      const answer = await this.door.api.get(this.pathOf(pack.event.id, full ? undefined : { after: pack.position, wait }), asked);
      const least = await this.use(answer, asking, pack, full);
      this.onAnswer();
      return least;
    } catch (error) {
      this.needsFull ||= full;
      if (!(error instanceof NoAnswer)) throw error;
      // Somebody kicked: the next request begins at once.
      if (this.polling.signal.aborted) return 0;
      this.onFailure();
      return null;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async use(answer: Answer, asking: Asking, pack: Pack, full: boolean): Promise<number | null> {
    if (answer.status === 204) {
      await this.forget(this.useShown(asking.request));
      return 0;
    }
    if (answer.status === 304) {
      this.hurries = true;
      return 0;
    }
    if (answer.status === 200) {
      await this.take(answer, asking, full ? undefined : pack);
      return 0;
    }
    if (answer.status === 410) {
      this.needsFull = true;
      return 0;
    }
    return answer.retryAfter;
  }

  private async take(answer: Answer, { request, began }: Asking, before: Pack | undefined): Promise<void> {
    const { door } = this;
    const signed = await openPack(answer.body, door.keys).catch(async (error: unknown) => {
      if (!(error instanceof PackError) || error.code !== 'unknown_key') throw error;
      await this.loadKeys();
      return openPack(answer.body, door.keys);
    });
    const { lease_ms: ms } = signed;
    const payload = { ...signed, held_until: ms === null ? null : began.wall + ms };
    // The event was changed on the phone while the request was under way.
    if (before && before !== door.pack) return;
    if (payload.full) {
      const pack = packOf(payload);
      await door.packStore.replace(pack);
      this.etag = answer.etag;
      door.lease.take(ms, began);
      door.usePack(pack);
      // Devices share full lists of the last second: the next answer says which movements of this device they have.
      this.hurries = true;
    } else await this.takeDelta(payload, { request, began }, before);
    door.clock.sample(instant(payload.server_time), ...door.runningTimes(answer));
  }

  /** Tickets, numbers and own movements change together: nobody sees a movement twice, or not at all. */
  private async takeDelta(delta: PackPayload, { request, began }: Asking, before: Pack | undefined): Promise<void> {
    const { door } = this;
    const pack = before && applyDelta(before, delta);
    if (!pack) return this.loadWhole();
    door.lease.take(delta.lease_ms, began);
    const gone = this.useShown(request, pack);
    try {
      await door.packStore.add(delta, pack);
    } catch (error) {
      // What is stored lacks this delta, so later ones must not be added to it, and the lease is not that of what is stored.
      door.lease.end();
      this.loadWhole();
      throw error;
    }
    await this.forget(gone);
  }

  private loadWhole(): void {
    this.needsFull = true;
    this.etag = null;
  }

  /** Gets the public keys of the tenant, when a code or a list is signed with another one. */
  async loadKeys(): Promise<void> {
    const answer = await this.door.api.get('/scan/keys/', { timeout });
    const keys = (answer.body as { keys?: unknown } | null)?.keys;
    if (answer.status === 200 && Array.isArray(keys)) this.door.keys.add(keys as Parameters<Door['keys']['add']>[0]);
  }

  /**
   * Uses a list without the movements that it shows, and without answered ones of other events.
   * @param pack without: the list that is in use is up to date @returns entries of the journal that are not needed any more
   */
  private useShown(request: number, pack: Pack | null = this.door.pack): readonly Entry[] {
    const { door } = this;
    const { entries } = door.journal;
    const elsewhere = entries.filter(({ facts, settled }) => settled && facts.eventId !== pack?.event.id);
    const gone = [...new Set([...shownByList(entries, request), ...elsewhere])];
    door.own.remove(gone);
    if (pack !== door.pack) door.usePack(pack);
    else if (gone.length > 0) door.refresh();
    return gone;
  }

  private async forget(gone: readonly Entry[]): Promise<void> {
    await this.door.journal.remove(gone);
    if (gone.length > 0) this.door.refresh();
  }

  private pathOf(eventId: string, changes?: { readonly after: string; readonly wait: number }): string {
    const { gateId, credentials } = this.door;
    const query = new URLSearchParams({ event: eventId, names: 'sealed' });
    if (changes) {
      query.set('after', changes.after);
      query.set('wait', String(changes.wait));
    }
    if (gateId !== null) query.set('gate', gateId);
    if (credentials) query.set('holder', credentials.holder);
    return `/scan/pack/?${query.toString()}`;
  }
}
