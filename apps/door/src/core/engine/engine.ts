import { textOfStrokes, type Stroke } from '../codes/keyboard.js';
import { readText } from '../codes/parse-code.js';
import { instantOrNull } from '../network/instants.js';
import { askAboutCard } from '../scanning/cards.js';
import { plainResult } from '../scanning/results.js';
import { Scanner } from '../scanning/scanner.js';
import { Undoing } from '../scanning/undoing.js';
import { isFull } from '../storage/database.js';
import { DoorError, type Direction, type DoorEngine, type DoorState, type FoundTicket, type Reason, type ScanResult } from '../types.js';
import type { Surroundings } from './context.js';
import { Door } from './door.js';
import { Ending } from '../session/ending.js';
import { Loops } from './loops.js';
import { Following } from '../session/following.js';
import { OneTab } from '../session/one-tab.js';
import { Pairing } from '../session/pairing.js';
import type { Practice } from './practice.js';
import { Search } from './search.js';
import { Session } from '../session/session.js';

type Source = Parameters<DoorEngine['scan']>[1];

/** The engine of the scanner app. */
export class Engine implements DoorEngine {
  readonly door: Door;
  private readonly scanner: Scanner;
  private readonly undoing: Undoing;
  private readonly searching: Search;
  private latestPractice: Practice | null = null;
  private readonly session: Session;
  private readonly ending: Ending;
  private readonly loops: Loops;
  private readonly pairing: Pairing;
  private readonly closing = new AbortController();
  private readonly tab: OneTab;

  constructor(surroundings: Surroundings) {
    const door = new Door(surroundings);
    this.door = door;
    this.scanner = new Scanner(door);
    this.undoing = new Undoing(door, this.scanner.attempts, this.scanner.recorder);
    this.searching = new Search(door);
    this.session = new Session(door);
    this.ending = new Ending(door);
    const following = new Following({
      door,
      session: this.session,
      open: (eventId, gateId) => this.open(eventId, gateId),
      changeGate: (gateId) => this.changeGate(gateId),
    });
    this.loops = new Loops(door, this.scanner, this.searching, (device) => following.follow(device));
    this.pairing = new Pairing({
      door,
      session: this.session,
      ending: this.ending,
      loops: this.loops,
      open: (eventId, gateId) => this.open(eventId, gateId),
      forget: () => this.scanner.attempts.clear(),
    });
    door.onEnding = () => void this.wipe();
    door.onLeaseEnd = () => void this.dropList();
    door.onClosed = (opensAt) => {
      // The next contacts come soon: they say when the device is open again.
      if (this.state.phase !== 'locked') this.loops.contact.kick();
      following.lock(instantOrNull(opensAt));
    };
    this.tab = new OneTab(door, () => this.stop());
  }

  get state(): DoorState {
    return this.door.store.state;
  }

  subscribe(listener: () => void): () => void {
    return this.door.store.subscribe(listener);
  }

  onCorrection(listener: (result: ScanResult) => void): () => void {
    this.door.corrections.add(listener);
    return () => this.door.corrections.delete(listener);
  }

  async start(): Promise<void> {
    const { door } = this;
    await this.tab.begin();
    void this.pairing.askToKeep(false);
    const loaded = await this.session.load();
    if (loaded === 'wiped') {
      door.store.set({ phase: 'wiped' });
      void this.ending.sendJournal(this.closing.signal).catch(() => {});
    } else if (loaded === 'unpaired') door.store.set({ phase: 'unpaired' });
    else {
      door.checkLease();
      door.store.set({ phase: door.pack ? 'open' : 'choosing' });
      this.loops.start();
      await this.loops.closeOldIntents().catch(() => {});
    }
  }

  async pair(code: string, label?: string): Promise<void> {
    await this.pairing.pair(code, label);
  }

  async pairAgain(code: string, label?: string): Promise<void> {
    await this.pairing.pairAgain(code, label);
  }

  isOwnCode(code: string): Promise<boolean> {
    return this.session.isOwnCode(code);
  }

  async loadEvents(): Promise<void> {
    await this.session.loadEvents();
  }

  async open(eventId: string, gateId: string | null): Promise<void> {
    const { door } = this;
    if (!door.credentials) throw new DoorError('unpaired', 'The phone is not paired.');
    void this.pairing.askToKeep(true);
    this.scanner.attempts.clear();
    door.gateId = gateId;
    const stored = door.pack ?? (await door.packStore.load().catch(() => undefined));
    try {
      await this.loops.keeper.open(eventId, this.loops.signal);
    } catch (error) {
      const usable = stored?.event.id === eventId && door.clock.now() <= stored.leaseEnd;
      if (!usable || !(error instanceof DoorError) || !['offline', 'failed'].includes(error.code)) throw error;
      door.usePack(stored);
    }
    await this.settleGate();
    await this.session.saveChosen();
    door.store.set({ phase: 'open' });
    this.loops.catchUp();
  }

  async changeGate(gateId: string | null): Promise<void> {
    this.door.gateId = this.door.pack?.gates.some(({ id }) => id === gateId) ? gateId : null;
    this.door.refresh();
    await this.session.saveChosen();
    this.loops.contact.kick();
    this.loops.keeper.kick();
  }

  turn(direction: Direction): void {
    this.door.direction = direction;
    this.door.refresh();
    // A phone at the exit stays one when the system kills the app.
    void this.session.saveChosen().catch(() => {});
  }

  /** The list stays on the phone until another one replaces it: who left by mistake comes back without a network. */
  async close(): Promise<void> {
    const { door } = this;
    door.usePack(null);
    door.gateId = null;
    door.direction = 'entry';
    this.scanner.attempts.clear();
    this.searching.forget();
    await door.files.remove('names');
    await this.session.saveChosen();
    door.refresh();
    door.store.set({ phase: 'choosing', event: null, gate: null, gates: [], counts: null, conflicts: [], practice: false });
  }

  async scan(text: string, source: Source): Promise<ScanResult> {
    try {
      const deciding = this.decide(text, source);
      const result = await within(deciding, this.door.surroundings.longestScan);
      if (result) return result;
      // The storage hangs, and the next scan must not wait for it.
      void deciding.then((late) => this.door.correct(late)).catch(() => {});
      return this.plain('ask', 'failed');
    } catch (error) {
      // Nobody comes in before the verdict is on disk; a person decides.
      if (!this.closing.signal.aborted) console.error(error);
      return this.plain('ask', 'failed', isFull(error) ? 'free_space' : 'to_desk');
    }
  }

  async readStrokes(strokes: readonly Stroke[]): Promise<string> {
    return textOfStrokes(strokes, this.door.keys);
  }

  async admit(scanId: string): Promise<ScanResult> {
    return this.practice ? this.practice.admit(scanId) : this.scanner.admit(scanId);
  }

  async admitGroup(scanId: string, tickets: number): Promise<ScanResult> {
    return this.practice ? this.practice.admitGroup(scanId, tickets) : this.scanner.admitGroup(scanId, tickets);
  }

  async undo(scanId: string, reason?: string): Promise<void> {
    if (this.practice) this.practice.undo(scanId);
    else await this.undoing.undo(scanId, reason);
  }

  search(words: string): Promise<readonly FoundTicket[]> {
    return this.searching.find(words);
  }

  async practise(on: boolean): Promise<void> {
    // A file of its own: most evenings begin without practice.
    if (on) this.latestPractice = new (await import('./practice.js')).Practice(this.door);
    this.door.store.set({ practice: on });
  }

  async unpair(): Promise<void> {
    await this.pairing.unpair();
  }

  takeOver(): boolean {
    return this.tab.takeOver();
  }

  wake(): void {
    this.loops.contact.kick();
    this.loops.catchUp();
  }

  /** Ends everything that runs, without a word to the server. What is on disk stays. */
  async stop(): Promise<void> {
    this.closing.abort();
    this.loops.stop();
    await this.door.db.end();
    this.tab.end();
  }

  private get practice(): Practice | null {
    return this.state.practice ? this.latestPractice : null;
  }

  private async decide(text: string, source: Source): Promise<ScanResult> {
    const { door } = this;
    if (this.practice) return this.practice.scan(text);
    door.checkLease();
    if (this.state.phase !== 'open' || !door.pack) return this.plain('ask', 'failed');
    if (door.watch.kind === 'offline') this.loops.contact.kick();
    const reading = readText(text, source);
    if (reading.kind === 'ticket') return this.scanner.scan(reading.code);
    if (reading.kind === 'card') return askAboutCard(door, reading.tag);
    if (reading.kind === 'malformed') return this.plain('stop', 'malformed');
    const found = this.searching.isAllowed ? await this.searching.find(reading.reference).catch(() => []) : [];
    const next = found.find(({ state }) => state === 'expected') ?? found[0];
    const code = next && readText(next.code, 'camera');
    return code?.kind === 'ticket' ? this.scanner.scan(code.code) : this.plain('stop', 'unknown');
  }

  private plain(verdict: 'ask' | 'stop', reason: Reason, step = 'to_desk'): ScanResult {
    const { direction, clock } = this.door;
    const result = plainResult({ scanId: crypto.randomUUID(), direction, at: clock.now() }, verdict, reason);
    return { ...result, nextStep: { code: step, text: null } };
  }

  /** The gate of the device, or the only one. */
  private async settleGate(): Promise<void> {
    const { door } = this;
    const gates = door.pack?.gates ?? [];
    const wanted = door.gateId ?? door.credentials?.gate ?? null;
    door.gateId = gates.some(({ id }) => id === wanted) ? wanted : gates.length === 1 ? (gates[0]?.id ?? null) : null;
    door.refresh();
  }

  private async dropList(): Promise<void> {
    if (this.state.phase === 'open') await this.close().catch(() => {});
    await this.door.forgetList().catch(() => {});
  }

  /** The phone lost its right: key, list and names go first, then the journal to quarantine. */
  private async wipe(): Promise<void> {
    if (!this.door.credentials) return;
    this.loops.stop();
    this.scanner.attempts.clear();
    await this.ending.wipe().catch(() => {});
    await this.ending.sendJournal(this.closing.signal).catch(() => {});
  }
}

/** What comes in time; undefined: nothing did. */
async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
