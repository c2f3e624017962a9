import { DoorError } from '../types.js';
import type { Door } from '../engine/door.js';
import type { Ending } from './ending.js';
import type { Loops } from '../engine/loops.js';
import type { Session } from './session.js';

interface Parts {
  readonly door: Door;
  readonly session: Session;
  readonly ending: Ending;
  readonly loops: Loops;
  /** Opens the event that staff chose. */
  readonly open: (eventId: string, gateId: string | null) => Promise<void>;
  /** Forgets what is only in memory. */
  readonly forget: () => void;
}

/** Milliseconds for which the journal of a phone may take that is to be destroyed. */
const longest = 15_000;

/** Pairs a phone, pairs it with another code, and ends its pairing. */
export class Pairing {
  constructor(private readonly parts: Parts) {}

  async pair(code: string, label?: string): Promise<void> {
    const { door, ending, session } = this.parts;
    if (door.store.state.phase === 'wiped' && !(await ending.sendJournal(AbortSignal.timeout(5000), true)))
      throw new DoorError('unsent', 'The journal of this phone was not sent yet.');
    if (door.credentials) throw new DoorError('paired', 'The phone is paired.');
    await session.keep(await session.ask(code, label));
    await this.begin();
  }

  async pairAgain(code: string, label?: string): Promise<void> {
    const { door, session } = this.parts;
    if (!door.credentials) return this.pair(code, label);
    await this.sendAll();
    const paired = await session.ask(code, label);
    await this.destroy();
    await session.keep(paired);
    await this.begin();
  }

  async unpair(): Promise<void> {
    await this.sendAll();
    await this.destroy();
  }

  /** What the browser says about keeping data, for the screens. @param ask also asks it to */
  async askToKeep(ask: boolean): Promise<void> {
    const { surroundings, store } = this.parts.door;
    store.set({ persistent: await surroundings.persistent(ask).catch(() => null) });
  }

  /** The event that staff chose, or the choice. */
  private async begin(): Promise<void> {
    const { door, session, loops, open } = this.parts;
    void this.askToKeep(true);
    door.store.set({ phase: 'choosing' });
    loops.start();
    const { event, gate } = door.credentials ?? { event: null, gate: null };
    await session.loadEvents().catch(() => {});
    if (event !== null) await open(event, gate).catch(() => {});
  }

  private async sendAll(): Promise<void> {
    if (!(await this.parts.loops.uploader.flush(AbortSignal.timeout(longest))))
      throw new DoorError('unsent', 'Lines of the journal wait, and the server cannot be reached.');
  }

  private async destroy(): Promise<void> {
    this.parts.loops.stop();
    this.parts.forget();
    await this.parts.ending.destroy();
  }
}
