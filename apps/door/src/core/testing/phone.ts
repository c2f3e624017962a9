import 'fake-indexeddb/auto';
import { createEngine, type Engine } from '../index.js';
import type { ScanResult } from '../types.js';
import { eventId, type Line, type ModelNetwork } from './model-network.js';
import { until } from './until.js';

let phones = 0;

/** A phone in a test: its browser's storage survives when the app is killed. */
export class Phone {
  readonly line: Line = { mode: 'up', delay: 0, status: null };
  readonly corrections: ScanResult[] = [];
  readonly device: string;
  engine: Engine;
  /** Milliseconds by which the phone's clock is wrong, and by which its running time went on. */
  clockError = 0;
  /** Milliseconds after which a person decides; counts for the next start of the app. */
  longestScan = 6000;
  language = 'en';
  /** Milliseconds for which its running time stood still. */
  slept = 0;
  private readonly database: string;
  private life = { alive: true };

  constructor(
    private readonly network: Pick<ModelNetwork, 'fetchOf'>,
    private readonly now: () => number = Date.now,
  ) {
    phones += 1;
    this.device = `phone-${phones}`;
    this.database = `door-${phones}-${crypto.randomUUID()}`;
    this.engine = this.make();
  }

  /** Pairs the phone and opens the event. */
  async open(gateId: string | null = null, { code = 'K7QF2-MXD9A', event = eventId } = {}): Promise<this> {
    await this.engine.start();
    await this.engine.pair(code);
    await this.engine.open(event, gateId);
    return this;
  }

  /** Takes the network away, and waits until the app says so. */
  async cutOff(): Promise<void> {
    this.line.mode = 'down';
    await until(() => this.engine.state.network.kind === 'offline' || (this.engine.wake(), false));
  }

  /** The system kills the app: nothing of it goes on, and nothing is saved. */
  async kill(): Promise<void> {
    this.life.alive = false;
    await this.engine.stop();
  }

  async restart(): Promise<void> {
    await this.kill();
    this.engine = this.make();
    await this.engine.start();
  }

  private make(): Engine {
    const life = { alive: true };
    this.life = life;
    const fetched = this.network.fetchOf(this.device, this.line);
    const engine = createEngine({
      database: this.database,
      // A dead app hears no answers.
      fetch: async (...asked) => {
        const answer = life.alive ? await fetched(...asked) : await new Promise<never>(() => {});
        return life.alive ? answer : new Promise<never>(() => {});
      },
      appVersion: '1',
      language: () => this.language,
      longestScan: this.longestScan,
      wall: () => this.now() + this.clockError,
      running: () => this.now() - this.slept,
    });
    engine.onCorrection((result) => life.alive && this.corrections.push(result));
    return engine;
  }
}
