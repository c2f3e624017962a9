import { Uploader } from '../network/uploader.js';
import { LineAnswers } from '../scanning/line-answers.js';
import type { Scanner } from '../scanning/scanner.js';
import { Contact } from './contact.js';
import type { Door } from './door.js';
import { ListKeeper } from './list-keeper.js';
import type { Search } from './search.js';

/** What runs beside the scans while the phone is paired: contact, list, journal, names. */
export class Loops {
  readonly keeper: ListKeeper;
  readonly contact: Contact;
  readonly uploader: Uploader;
  private ending: AbortController | undefined;

  constructor(
    private readonly door: Door,
    private readonly scanner: Scanner,
    private readonly search: Search,
    onDevice: ConstructorParameters<typeof Contact>[1],
  ) {
    const answers = new LineAnswers(door, scanner.attempts, scanner.recorder);
    this.keeper = new ListKeeper(door);
    this.contact = new Contact(door, onDevice);
    this.uploader = new Uploader({
      api: door.api,
      journal: door.journal,
      stamp: () => door.requests,
      onAnswers: (given) => answers.take(given),
      onSettled: () => this.afterUpload(),
      isReachable: () => door.watch.kind !== 'offline' && door.credentials !== null,
    });
    scanner.recorder.onLine = () => this.uploader.kick();
    scanner.onUnknownKey = () => void this.keeper.loadKeys().catch(() => {});
    scanner.onGroup = () => this.keeper.kick();
    this.keeper.onFailure = () => this.contact.kick();
    door.onNetwork = (kind, before) => {
      if (before === 'offline' || kind === 'live') this.catchUp();
      // Asks again soon, so that a network that is back is noticed.
      else this.contact.kick();
    };
  }

  /** The signal of the current session; an aborted one without a session. */
  get signal(): AbortSignal {
    return this.ending?.signal ?? AbortSignal.abort();
  }

  start(): void {
    if (this.ending) return;
    this.ending = new AbortController();
    const { signal } = this.ending;
    for (const loop of [this.contact, this.keeper, this.uploader]) void loop.run(signal);
  }

  stop(): void {
    this.ending?.abort();
    this.ending = undefined;
  }

  /** The network is back, or the app is: everything that waited goes on. */
  catchUp(): void {
    this.keeper.kick();
    this.uploader.kick();
    void this.search.refreshNames().catch(() => {});
    void this.closeOldIntents().catch(() => {});
  }

  /** Attempts that a person should have decided, and nobody did: the server gets to know that they were refused. */
  async closeOldIntents(): Promise<void> {
    await this.scanner.closeOldIntents();
  }

  private afterUpload(): void {
    this.door.refresh();
    // The conflicts of the lines are in the next list.
    this.keeper.kick();
  }
}
