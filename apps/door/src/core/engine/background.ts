import { textOfStrokes, type Stroke } from '../codes/keyboard.js';
import type { Door } from '../door/door.js';
import type { Scanner } from '../scanning/scanner.js';
import type { Session } from '../session/session.js';
import { DoorError, type ScanResult } from '../types.js';
import { AskingAgain } from '../background/asking-again.js';
import { askAboutCard } from '../background/cards.js';
import { Clearing } from '../background/pairing/clearing.js';
import { CredentialsKeeper } from '../background/pairing/credentials-keeper.js';
import { loadEvents } from '../background/pairing/events.js';
import { follow } from '../background/pairing/following.js';
import { Loops } from '../background/loops.js';
import { Pairing } from '../background/pairing/pairing.js';
import { Search } from '../background/search.js';
import { decideReference } from '../background/typed/references.js';
import { Undoing } from '../background/undoing.js';

/**
 * What the phone does beside the scans: it pairs, keeps contact, follows the list, sends the journal, searches and undoes. It is a file of
 * its own, which loads after the start: the list decides about tickets without it.
 */
export class Background {
  readonly loops: Loops;
  readonly pairing: Pairing;
  readonly credentials: CredentialsKeeper;
  readonly searching: Search;
  readonly undoing: Undoing;
  readonly askingAgain: AskingAgain;
  private readonly clearing: Clearing;
  private readonly shared: Parameters<typeof follow>[0];

  constructor(
    readonly door: Door,
    private readonly session: Session,
    readonly scanner: Scanner,
  ) {
    this.credentials = new CredentialsKeeper(door, session);
    this.searching = new Search(door);
    this.undoing = new Undoing(door, scanner.attempts, scanner.recorder);
    this.askingAgain = new AskingAgain(door, scanner);
    this.clearing = new Clearing(door);
    this.shared = {
      door,
      session,
      credentials: this.credentials,
      open: (eventId: string, gateId: string | null) => this.open(eventId, gateId),
      changeGate: (gateId: string | null) => this.changeGate(gateId),
    };
    this.loops = new Loops(door, scanner, this.searching, (device) => follow(this.shared, device));
    this.pairing = new Pairing({
      ...this.shared,
      clearing: this.clearing,
      loops: this.loops,
      loadEvents: () => this.loadEvents(),
      forget: () => scanner.attempts.clear(),
    });
  }

  /** Continues what this phone has to do, by whether it is paired. @param signal ends all of it */
  goOn(signal: AbortSignal): void {
    if (signal.aborted) return;
    if (this.door.credentials) this.loops.start();
    else this.clearing.begin(signal);
  }

  async loadEvents(): Promise<void> {
    await loadEvents(this.shared);
  }

  /** The text that a keyboard scanner typed. */
  readStrokes(strokes: readonly Stroke[]): Promise<string> {
    return textOfStrokes(strokes, this.door.keys);
  }

  /** Decides about an NFC card. */
  askAboutCard(tag: string): Promise<ScanResult> {
    return this.askingAgain.decide(() => askAboutCard(this.door, tag));
  }

  /** Decides about the printed reference of a reservation or a ticket. */
  decideReference(reference: string): Promise<ScanResult> {
    return this.askingAgain.decide(() => decideReference(this, reference));
  }

  /** Opens an event: with the newest list if it comes soon, else with the stored one while it may be used. @throws DoorError */
  async open(eventId: string, gateId: string | null): Promise<void> {
    const { door, loops } = this;
    if (!door.credentials) throw new DoorError('unpaired');
    void this.session.askToKeep(true);
    this.scanner.attempts.clear();
    door.gateId = gateId;
    const pack = door.pack ?? (await door.packStore.load().catch(() => undefined));
    const stored = pack?.event.id === eventId && door.clock.now() <= pack.leaseEnd ? pack : undefined;
    try {
      // Nobody waits for a list that is there already: what changed since follows in the background.
      await loops.keeper.open(eventId, loops.signal, stored && door.watch.patience);
    } catch (error) {
      if (!stored || !(error instanceof DoorError) || !['offline', 'failed'].includes(error.code)) throw error;
      door.usePack(stored);
    }
    this.settleGate();
    await this.session.saveChosen();
    door.store.set({ phase: 'open' });
    loops.catchUp();
  }

  async changeGate(gateId: string | null): Promise<void> {
    const { door, loops } = this;
    door.gateId = door.pack?.gates.some(({ id }) => id === gateId) ? gateId : null;
    door.refresh();
    await this.session.saveChosen();
    loops.contact.kick();
    loops.keeper.kick();
  }

  /** The gate of the device, or the only one. */
  private settleGate(): void {
    const { door } = this;
    const gates = door.pack?.gates ?? [];
    const wanted = door.gateId ?? door.credentials?.gate ?? null;
    door.gateId = gates.some(({ id }) => id === wanted) ? wanted : gates.length === 1 ? (gates[0]?.id ?? null) : null;
    door.refresh();
  }
}
