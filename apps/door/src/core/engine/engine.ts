import type { Background } from './background.js';
import type { Stroke } from '../codes/keyboard.js';
import { panelTicket, readText } from '../codes/parse-code.js';
import { instantOrNull } from '../network/instants.js';
import { plainResult } from '../scanning/results.js';
import { Scanner } from '../scanning/scanner.js';
import { isFull } from '../storage/database.js';
import { DoorError, type Direction, type DoorEngine, type DoorState, type FoundTicket, type Reason, type ScanResult } from '../types.js';
import type { Surroundings } from '../door/context.js';
import { Door } from '../door/door.js';
import { wipe } from '../session/ending.js';
import { OneTab } from '../session/one-tab.js';
import type { Practice } from './practice.js';
import { Session } from '../session/session.js';

type Source = Parameters<DoorEngine['scan']>[1];

/** Milliseconds after which a scan without a network looks for it: the verdict of the list is painted before. */
const afterVerdict = 200;

/** The engine of the scanner app. */
export class Engine implements DoorEngine {
  readonly door: Door;
  private readonly scanner: Scanner;
  private latestPractice: Practice | null = null;
  private readonly session: Session;
  private background: Background | null = null;
  private readonly closing = new AbortController();
  private readonly tab: OneTab;

  constructor(surroundings: Surroundings) {
    const door = new Door(surroundings);
    this.door = door;
    this.scanner = new Scanner(door);
    this.session = new Session(door);
    door.onEnding = () => void this.wipe();
    door.onLeaseEnd = () => void this.dropList();
    door.onClosed = (opensAt) => {
      // The next contacts come soon: they say when the device is open again.
      if (this.state.phase !== 'locked') this.background?.loops.contact.kick();
      this.session.lock(instantOrNull(opensAt));
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
    void this.session.askToKeep(false);
    const loaded = await this.session.load();
    if (loaded === 'paired') {
      door.checkLease();
      door.store.set({ phase: door.pack ? 'open' : 'choosing' });
    } else door.store.set({ phase: loaded });
    // At once: whether there is a network is unknown before the first contact.
    void this.goOn().catch(() => {});
  }

  async pair(code: string, label?: string): Promise<void> {
    await (await this.beside()).pairing.pair(code, label);
  }

  async pairAgain(code: string, label?: string): Promise<void> {
    await (await this.beside()).pairing.pairAgain(code, label);
  }

  async isOwnCode(code: string): Promise<boolean> {
    return (await this.beside()).credentials.isOwnCode(code);
  }

  async loadEvents(): Promise<void> {
    await (await this.beside()).loadEvents();
  }

  async open(eventId: string, gateId: string | null): Promise<void> {
    await (await this.beside()).open(eventId, gateId);
  }

  async changeGate(gateId: string | null): Promise<void> {
    await (await this.beside()).changeGate(gateId);
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
    this.background?.searching.forget();
    await door.files.remove('names');
    await this.session.saveChosen();
    door.refresh();
    const phase = this.state.phase === 'locked' ? 'locked' : 'choosing';
    door.store.set({ phase, event: null, gate: null, gates: [], counts: null, conflicts: [], practice: false });
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

  held(text: string): void {
    this.scanner.held(text.trim());
  }

  async readStrokes(strokes: readonly Stroke[]): Promise<string> {
    // Without the file: right where scanner and phone have the same layout.
    return this.beside().then(
      (background) => background.readStrokes(strokes),
      () => strokes.map(({ key }) => key).join(''),
    );
  }

  async admit(scanId: string): Promise<ScanResult> {
    return this.practice ? this.practice.admit(scanId) : this.scanner.admit(scanId);
  }

  async admitGroup(scanId: string, tickets: number): Promise<ScanResult> {
    return this.practice ? this.practice.admitGroup(scanId, tickets) : this.scanner.admitGroup(scanId, tickets);
  }

  async undo(scanId: string, reason?: string): Promise<void> {
    if (this.practice) this.practice.undo(scanId);
    else await (await this.beside()).undoing.undo(scanId, reason);
  }

  async askAgain(scanId: string): Promise<ScanResult | null> {
    return this.practice ? null : (await this.beside()).askingAgain.ask(scanId);
  }

  async search(words: string): Promise<readonly FoundTicket[]> {
    return (await this.beside()).searching.find(words);
  }

  /** @param ticket of the panel with which somebody wants to begin; nothing begins when the server does not know it */
  async practise(on: boolean, ticket?: string): Promise<void> {
    if (on) {
      // A file of its own: most evenings begin without practice.
      const { isKnown, Practice } = await import('./practice.js');
      if (ticket && (!(await isKnown(this.door, ticket)) || this.practice)) return;
      this.latestPractice = new Practice(this.door);
    }
    this.door.store.set({ practice: on });
  }

  async unpair(): Promise<void> {
    await (await this.beside()).pairing.unpair();
  }

  takeOver(): boolean {
    return this.tab.takeOver();
  }

  wake(): void {
    void this.goOn()
      .then(({ loops }) => {
        loops.contact.kick();
        loops.catchUp();
      })
      .catch(() => {});
  }

  /** Ends everything that runs, without a word to the server. What is on disk stays. */
  async stop(): Promise<void> {
    this.closing.abort();
    this.background?.loops.stop();
    await this.door.db.end();
    this.tab.end();
  }

  /** What runs beside the scans. @throws DoorError `part` when neither the phone nor the network has its file */
  private async beside(): Promise<Background> {
    if (this.background) return this.background;
    const file = await import('./background.js').catch(() => {
      throw new DoorError('part');
    });
    return (this.background ??= new file.Background(this.door, this.session, this.scanner));
  }

  /** What the phone does beside the scans begins, or goes on. */
  private async goOn(): Promise<Background> {
    const background = await this.beside();
    background.goOn(this.closing.signal);
    return background;
  }

  private get practice(): Practice | null {
    return this.state.practice ? this.latestPractice : null;
  }

  private async decide(text: string, source: Source): Promise<ScanResult> {
    const { door } = this;
    if (text.startsWith(panelTicket)) await this.practise(true, text);
    if (this.practice) return this.practice.scan(text);
    door.checkLease();
    if (this.state.phase !== 'open' || !door.pack) return this.plain('ask', 'failed');
    if (door.watch.kind === 'offline') setTimeout(() => this.background?.loops.contact.kick(), afterVerdict);
    const reading = readText(text, source);
    if (reading.kind === 'ticket') return this.scanner.scan(reading.code);
    if (reading.kind === 'card') return (await this.beside()).askAboutCard(reading.tag);
    if (reading.kind === 'reference') return (await this.beside()).decideReference(reading.reference);
    return this.plain('stop', 'malformed');
  }

  private plain(verdict: 'ask' | 'stop', reason: Reason, step = 'to_desk'): ScanResult {
    const { direction, clock } = this.door;
    const result = plainResult({ scanId: crypto.randomUUID(), direction, at: clock.now() }, verdict, reason);
    return { ...result, nextStep: { code: step, text: null } };
  }

  private async dropList(): Promise<void> {
    if (this.door.pack) await this.close().catch(() => {});
    await this.door.forgetList().catch(() => {});
  }

  /** The phone lost its right: key, list and names go first, then the journal to quarantine. */
  private async wipe(): Promise<void> {
    if (!this.door.credentials) return;
    this.background?.loops.stop();
    this.scanner.attempts.clear();
    await wipe(this.door).catch(() => {});
    await this.goOn().catch(() => {});
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
