import { NoAnswer } from '../network/api.js';
import { instantOrNull } from '../network/instants.js';
import { Alarm } from '../network/pauses.js';
import type { Role } from '../types.js';
import type { Door } from '../door/door.js';
import { followHours } from './hours.js';

/** Milliseconds between contacts while the server answers. */
const every = 30_000;
const everyWhenSlow = 5_000;
/** Somebody waits before a locked phone until the team opens it. */
const everyWhenLocked = 5_000;
/** Without a network the server is tried again after so many milliseconds, so that both doors know of conflicts 5 s after it is back. */
const tryAgain = 1200;
const timeout = 2500;
/** A scan without a network makes the next attempt earlier, by at most so much. */
const leastBetween = 300;

/** What the server says about the device. Members of `POST /scan/contact/`, docs/scanning.md. */
export interface ContactDevice {
  readonly name?: string;
  readonly role?: Role;
  readonly event?: string | null;
  readonly gate?: string | null;
  readonly moves?: number;
  readonly locked?: boolean;
  readonly opens_at?: string | null;
  readonly closes_at?: string | null;
  readonly wipe?: boolean;
}

interface ContactBody {
  readonly server_time?: string;
  readonly device?: ContactDevice;
  readonly app?: { readonly version?: string };
}

/** Tells the server how the phone is, and hears what staff decided about it. Finds out when the network is back. */
export class Contact {
  private readonly alarm = new Alarm();

  constructor(
    private readonly door: Door,
    private readonly onDevice: (device: ContactDevice) => Promise<void>,
  ) {}

  /** Asks at once. */
  kick(): void {
    this.alarm.ring();
  }

  /** Keeps contact until the signal aborts. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const began = performance.now();
      followHours(this.door);
      await this.once(signal).catch(() => {});
      await this.door.saveClock().catch(() => {});
      this.door.checkLease();
      followHours(this.door);
      await this.alarm.wait(this.pause, signal);
      const early = began + leastBetween - performance.now();
      if (early > 0) await new Alarm().wait(early, signal);
    }
  }

  private get pause(): number {
    const { watch, store } = this.door;
    if (watch.kind === 'offline') return tryAgain * (0.5 + Math.random());
    if (store.state.phase === 'locked') return everyWhenLocked;
    return watch.kind === 'slow' ? everyWhenSlow : every;
  }

  /** One contact. @returns whether the server answered */
  async once(signal: AbortSignal): Promise<boolean> {
    const { door } = this;
    const { answers } = door.watch;
    try {
      const answer = await door.api.post('/scan/contact/', { body: this.body(), timeout, signal });
      door.watch.answered(answer.status, answer.took);
      if (answer.status !== 200) return true;
      const { server_time: serverTime, device, app } = answer.body as ContactBody;
      const moment = instantOrNull(serverTime);
      if (moment !== null) door.clock.sample(moment, ...door.runningTimes(answer));
      const { appVersion } = door.surroundings;
      if (app?.version && appVersion) door.store.set({ updateReady: app.version !== appVersion });
      if (device?.wipe) door.onEnding();
      else if (device) await this.onDevice(device);
      return true;
    } catch (error) {
      if (!(error instanceof NoAnswer) || signal.aborted) throw error;
      if (error.timedOut) door.watch.silent(answers);
      else door.watch.failed();
      return false;
    }
  }

  private body(): object {
    const { surroundings, journal, clock, pack, gateId, watch } = this.door;
    const { level, charging } = surroundings.battery();
    return {
      ...(surroundings.appVersion !== null && { app_version: surroundings.appVersion }),
      battery: level,
      charging,
      unsent: journal.unsent.length,
      clock_offset_ms: Math.round(clock.offset),
      clock_error_ms: Math.round(clock.errorMs),
      event: pack?.event.id ?? null,
      gate: gateId,
      position: pack?.position ?? null,
      network: watch.kind,
    };
  }
}
