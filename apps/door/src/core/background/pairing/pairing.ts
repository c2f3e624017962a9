import { DoorError } from '../../types.js';
import type { Door } from '../../door/door.js';
import type { Session } from '../../session/session.js';
import type { Clearing } from './clearing.js';
import type { CredentialsKeeper } from './credentials-keeper.js';
import type { Loops } from '../loops.js';

interface Parts {
  readonly door: Door;
  readonly session: Session;
  readonly credentials: CredentialsKeeper;
  readonly clearing: Clearing;
  readonly loops: Loops;
  readonly loadEvents: () => Promise<void>;
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
    const { door, clearing, credentials } = this.parts;
    await clearing.alone(async () => {
      if (door.store.state.phase === 'wiped' && !(await clearing.sendJournal(AbortSignal.timeout(5000), true)))
        throw new DoorError('unsent');
      if (door.credentials) throw new DoorError('paired');
      await credentials.keep(await credentials.ask(code, label));
    });
    await this.begin();
  }

  async pairAgain(code: string, label?: string): Promise<void> {
    const { door, credentials } = this.parts;
    if (!door.credentials) return this.pair(code, label);
    await this.sendAll();
    const paired = await credentials.ask(code, label);
    await this.destroy();
    await credentials.keep(paired);
    await this.begin();
  }

  async unpair(): Promise<void> {
    await this.sendAll();
    await this.destroy();
  }

  /** The event that staff chose, or the choice. */
  private async begin(): Promise<void> {
    const { door, session, loops, loadEvents, open } = this.parts;
    void session.askToKeep(true);
    door.store.set({ phase: 'choosing' });
    loops.start();
    const { event, gate } = door.credentials ?? { event: null, gate: null };
    await loadEvents().catch(() => {});
    if (event !== null) await open(event, gate).catch(() => {});
  }

  private async sendAll(): Promise<void> {
    if (!(await this.parts.loops.uploader.flush(AbortSignal.timeout(longest)))) throw new DoorError('unsent');
  }

  private async destroy(): Promise<void> {
    this.parts.loops.stop();
    this.parts.forget();
    await this.parts.clearing.destroy();
  }
}
