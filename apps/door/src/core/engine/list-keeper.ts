import { shownByList } from '../journal/own-moves.js';
import { NoAnswer, problemDetail, refusalCode, type Answer } from '../network/api.js';
import { Alarm, backoff, pause } from '../network/pauses.js';
import { applyDelta, packOf, type Pack } from '../pack/pack.js';
import { openPack, PackError } from '../pack/payload.js';
import { isFull } from '../storage/database.js';
import { DoorError } from '../types.js';
import type { Door } from './door.js';

/** Seconds for which the server may hold a request for changes. */
const longestWait = 25;
const timeout = 20_000;
/** Answers without a change come at most this often, in milliseconds. */
const leastBetween = 500;

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
   * @throws DoorError `offline`, `failed`, or the code of the server's problem
   */
  async open(eventId: string, signal: AbortSignal): Promise<void> {
    this.etag = null;
    const request = (this.door.requests += 1);
    let answer: Answer;
    try {
      answer = await this.door.api.get(pathOf(eventId), { timeout, signal });
    } catch (error) {
      if (error instanceof NoAnswer) throw new DoorError('offline', 'The server cannot be reached.');
      throw error;
    }
    if (answer.status !== 200) throw new DoorError(refusalCode(answer), problemDetail(answer));
    try {
      await this.take(answer, request, undefined);
    } catch (error) {
      if (error instanceof PackError) throw new DoorError('failed', error.message);
      throw new DoorError(isFull(error) ? 'full' : 'failed', 'The list of the event cannot be stored.');
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
    const request = (this.door.requests += 1);
    try {
      const asked = { timeout: timeout + longestWait * 1000, signal: this.polling.signal, etag: full ? this.etag : null };
      const answer = await this.door.api.get(pathOf(pack.event.id, full ? undefined : { after: pack.position, wait }), asked);
      return await this.use(answer, request, pack, full);
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

  private async use(answer: Answer, request: number, pack: Pack, full: boolean): Promise<number | null> {
    if (answer.status === 204 || answer.status === 304) {
      await this.forgetShown(request);
      return 0;
    }
    if (answer.status === 200) {
      await this.take(answer, request, full ? undefined : pack);
      return 0;
    }
    if (answer.status === 410) {
      this.needsFull = true;
      return 0;
    }
    return answer.retryAfter;
  }

  private async take(answer: Answer, request: number, before: Pack | undefined): Promise<void> {
    const { door } = this;
    const payload = await openPack(answer.body, door.keys).catch(async (error: unknown) => {
      if (!(error instanceof PackError) || error.code !== 'unknown_key') throw error;
      await this.loadKeys();
      return openPack(answer.body, door.keys);
    });
    // The event was changed on the phone while the request was under way.
    if (before && before !== door.pack) return;
    if (payload.full) {
      const pack = packOf(payload);
      await door.packStore.replace(pack);
      this.etag = answer.etag;
      door.usePack(pack);
    } else {
      const pack = before && applyDelta(before, payload);
      if (!pack) {
        this.needsFull = true;
        this.etag = null;
        return;
      }
      await door.packStore.add(payload, pack);
      door.usePack(pack);
    }
    door.clock.sample(door.pack!.serverTime, ...door.runningTimes(answer));
    await this.forgetShown(request);
  }

  /** Gets the public keys of the tenant, when a code or a list is signed with another one. */
  async loadKeys(): Promise<void> {
    const answer = await this.door.api.get('/scan/keys/', { timeout });
    const keys = (answer.body as { keys?: unknown } | null)?.keys;
    if (answer.status === 200 && Array.isArray(keys)) this.door.keys.add(keys as Parameters<Door['keys']['add']>[0]);
  }

  /** Forgets movements that the list shows now, and answered ones of other events. */
  private async forgetShown(request: number): Promise<void> {
    const { door } = this;
    const here = door.pack?.event.id;
    const shown = shownByList(door.journal.entries, request);
    const elsewhere = door.journal.entries.filter(({ facts, settled }) => settled && facts.eventId !== here);
    const gone = [...new Set([...shown, ...elsewhere])];
    if (gone.length === 0) return;
    await door.journal.remove(gone);
    door.own.remove(gone);
    door.refresh();
  }
}

function pathOf(eventId: string, changes?: { readonly after: string; readonly wait: number }): string {
  const query = new URLSearchParams({ event: eventId, names: 'sealed' });
  if (changes) {
    query.set('after', changes.after);
    query.set('wait', String(changes.wait));
  }
  return `/scan/pack/?${query.toString()}`;
}
