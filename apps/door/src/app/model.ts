import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { DoorError, type DoorEngine, type DoorState, type FoundTicket, type ScanResult } from '../core/types.js';
import { preferences, setPreference } from '../device/preferences.js';
import { announce } from '../device/tones.js';
import { lookForUpdate, updateWaits } from '../device/updates.js';
import { asksAgain } from './opened-code.js';

/** What lies over the screen. */
export type Sheet =
  | { readonly kind: 'settings' | 'search' | 'conflicts' | 'recent' | 'gates' }
  | { readonly kind: 'undo'; readonly result: ScanResult };

/** A result with the time of this phone at which it came, in milliseconds of `performance.now`. */
export interface Shown {
  readonly result: ScanResult;
  readonly came: number;
  /** The server's late answer changed it. */
  readonly corrected: boolean;
}

type Source = Parameters<DoorEngine['scan']>[1];

/** Results that the volunteer can open again. */
const mostRecent = 30;
/** Milliseconds after which a result disappears by itself; those that have to be read or answered stay. */
const staying = { plain: 2_500, withNotes: 6_000 };
/** A refusal is seen at least this long before the next code replaces it. */
const leastRefusal = 900;

/** Whether nobody has to read or answer. */
const letsPass = ({ verdict }: Pick<ScanResult, 'verdict'>): boolean => ['go', 'out', 'just'].includes(verdict);

/** Milliseconds within which a result is painted, also on a slow phone. */
const paintedWithin = 100;

/** The state of the screens, and what their buttons do. */
export class DoorModel {
  readonly state: Signal<DoorState>;
  readonly shown = signal<Shown | null>(null);
  readonly recent = signal<readonly Shown[]>([]);
  /** A result that the server changed while another one was on the screen. */
  readonly correction = signal<ScanResult | null>(null);
  readonly sheet = signal<Sheet | null>(null);
  /** Code of the last action's failure, and its message. */
  readonly failure = signal<{ readonly code: string; readonly message: string } | null>(null);
  readonly working = signal(false);
  /** The person chose to scan the open event without a gate. */
  readonly gateChosen: ReadonlySignal<boolean> = computed(() => {
    const { event } = this.state.value;
    return event !== null && preferences.value.noGateFor === event.id;
  });
  /** Milliseconds of `performance.now`, once a second. */
  readonly now = signal(performance.now());
  readonly updateReady: ReadonlySignal<boolean>;
  private leaving: ReturnType<typeof setTimeout> | undefined;
  /** A code is being decided: the state of the engine waits until the result is painted. */
  private deciding = false;
  private following: ReturnType<typeof setTimeout> | undefined;
  private turn = Promise.resolve();

  /** @param onTurnedBack is called when the code in view may count again */
  constructor(
    readonly engine: DoorEngine,
    private readonly onTurnedBack: () => void,
  ) {
    this.state = signal(engine.state);
    this.updateReady = computed(() => updateWaits.value);
    engine.subscribe(() => (this.deciding ? this.followIn(0) : this.follow()));
    engine.onCorrection((result) => this.correct(result));
    setInterval(() => {
      this.now.value = performance.now();
    }, 1000);
  }

  /** Decides about a code and shows the result. Codes are decided one after the other. */
  scan(text: string, source: Source): Promise<void> {
    this.turn = this.turn.then(async () => {
      if (source === 'camera' && this.isReading()) {
        this.engine.held(text);
        // It counts again as soon as it is seen again.
        return this.onTurnedBack();
      }
      this.deciding = true;
      this.show(await this.engine.scan(text, source));
      this.deciding = false;
      if (this.following) this.followIn(paintedWithin);
    });
    return this.turn;
  }

  /** Whether the person looks at something that the next code of the camera must not replace: a sheet, or a new refusal. */
  private isReading(): boolean {
    if (this.sheet.value || asksAgain.value) return true;
    const { value: before } = this.shown;
    return before !== null && !letsPass(before.result) && performance.now() - before.came < leastRefusal;
  }

  async admit({ scanId }: ScanResult): Promise<void> {
    const result = await this.attempt(() => this.engine.admit(scanId));
    if (result) this.show(result);
  }

  /** Lets further people of the reservation in. */
  async admitGroup({ scanId }: ScanResult, tickets: number): Promise<void> {
    const result = await this.attempt(() => this.engine.admitGroup(scanId, tickets));
    if (result) this.show(result);
  }

  /** @returns whether it is undone */
  async undo({ scanId }: ScanResult, reason?: string): Promise<boolean> {
    const done = await this.attempt(async () => {
      await this.engine.undo(scanId, reason);
      return true;
    });
    if (done !== true) return false;
    batch(() => {
      this.recent.value = this.recent.value.filter(({ result }) => result.scanId !== scanId);
      if (this.shown.value?.result.scanId === scanId) this.dismiss();
    });
    this.onTurnedBack();
    return true;
  }

  async search(words: string): Promise<readonly FoundTicket[] | undefined> {
    return this.attempt(() => this.engine.search(words));
  }

  /** Takes the result off the screen. */
  dismiss(): void {
    clearTimeout(this.leaving);
    this.shown.value = null;
  }

  /** Shows an earlier result again. */
  open(shown: Shown): void {
    clearTimeout(this.leaving);
    batch(() => {
      this.sheet.value = null;
      this.shown.value = shown;
    });
  }

  openSheet(sheet: Sheet): void {
    batch(() => {
      this.failure.value = null;
      this.sheet.value = sheet;
    });
  }

  closeSheet(): void {
    batch(() => {
      this.failure.value = null;
      this.sheet.value = null;
    });
  }

  /**
   * Runs an action of the engine; its failure becomes a message on the screen.
   * @param blocks buttons wait for it @returns undefined after a failure
   */
  async attempt<Result>(work: () => Promise<Result>, blocks = true): Promise<Result | undefined> {
    batch(() => {
      if (blocks) this.working.value = true;
      this.failure.value = null;
    });
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      return undefined;
    } finally {
      if (blocks) this.working.value = false;
    }
  }

  /** Shows why something failed. */
  fail(error: unknown): void {
    const code = error instanceof DoorError ? error.code : (error as Error | null)?.name === 'QuotaExceededError' ? 'full' : 'other';
    this.failure.value = { code, message: error instanceof DoorError ? error.message : '' };
  }

  /** Whole seconds for which one tap undoes this result. */
  undoSeconds({ result, came }: Shown): number {
    if (result.undoUntil === null) return 0;
    // By the duration, because the clocks of server and phone differ.
    return Math.max(0, Math.round((came + result.undoUntil - result.at - this.now.value) / 1000));
  }

  /** Shows a result over whatever is on the screen. @param corrected it takes the place of one that was shown */
  show(result: ScanResult, corrected = false): void {
    const shown = { result, came: performance.now(), corrected };
    batch(() => {
      this.now.value = shown.came;
      this.failure.value = null;
      // A dialog would cover the result.
      this.sheet.value = null;
      this.shown.value = shown;
      this.recent.value = [shown, ...this.recent.value.filter((one) => one.result.scanId !== result.scanId)].slice(0, mostRecent);
    });
    announce(result.verdict);
    clearTimeout(this.leaving);
    const stay = this.stayOf(result);
    if (stay !== null) this.leaving = setTimeout(() => this.dismiss(), stay);
  }

  /** Milliseconds until the result disappears by itself; null: it stays. */
  private stayOf({ verdict, notes, age, group }: ScanResult): number | null {
    if (this.state.value.role === 'kiosk') return staying.withNotes;
    if (!letsPass({ verdict })) return null;
    if (verdict === 'go' && group && group.expected > 0) return null;
    return verdict !== 'out' && (notes.length > 0 || age !== null) ? staying.withNotes : staying.plain;
  }

  private correct(result: ScanResult): void {
    const { value: shown } = this.shown;
    const before = this.recent.value.find((one) => one.result.scanId === result.scanId);
    // The list and the server agree: only the facts are more complete.
    if (before && before.result.verdict === result.verdict && before.result.reason === result.reason) {
      const fuller = { ...before, result };
      batch(() => {
        this.recent.value = this.recent.value.map((one) => (one === before ? fuller : one));
        if (shown?.result.scanId === result.scanId) this.shown.value = { ...shown, result };
      });
      return;
    }
    if (!shown || shown.result.scanId === result.scanId) this.show(result, true);
    else {
      this.correction.value = result;
      announce(result.verdict);
    }
  }

  private followIn(milliseconds: number): void {
    clearTimeout(this.following);
    this.following = setTimeout(() => this.follow(), milliseconds);
  }

  private follow(): void {
    clearTimeout(this.following);
    this.following = undefined;
    const before = this.state.value;
    const { state } = this.engine;
    batch(() => {
      this.state.value = state;
      if (state.event?.id !== before.event?.id) {
        if (before.event) setPreference('noGateFor', null);
        this.recent.value = [];
        this.correction.value = null;
        this.dismiss();
      }
      if (state.phase !== before.phase) this.sheet.value = null;
    });
    if (state.updateReady && !before.updateReady) void lookForUpdate();
  }
}
