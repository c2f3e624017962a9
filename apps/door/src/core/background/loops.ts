import { Uploader } from './uploader.js';
import { LineAnswers } from './line-answers.js';
import type { Scanner } from '../scanning/scanner.js';
import { Contact } from './contact.js';
import type { Door } from '../door/door.js';
import { ListKeeper } from './list-keeper.js';
import { closeOldAttempts } from './old-attempts.js';
import type { Search } from './search.js';

/** What runs beside the scans while the phone is paired: contact, list, journal, names. */
export class Loops {
  readonly keeper: ListKeeper;
  readonly contact: Contact;
  readonly uploader: Uploader;
  private ending: AbortController | undefined;
  private closing = Promise.resolve();

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
    // Without a network the uploader hears when it is back.
    scanner.recorder.onLine = () => door.watch.kind !== 'offline' && this.uploader.kick();
    scanner.onUnknownKey = () => void this.keeper.loadKeys().catch(() => {});
    scanner.onGroup = () => this.keeper.kick();
    this.keeper.onFailure = () => this.contact.kick();
    this.keeper.onAnswer = () => this.refreshNames();
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
    this.closeOldAttempts();
  }

  stop(): void {
    this.ending?.abort();
    this.ending = undefined;
  }

  /** The network is back, or the app is: everything that waited goes on. */
  catchUp(): void {
    this.keeper.kick();
    this.uploader.kick();
    this.refreshNames();
    this.closeOldAttempts();
  }

  private refreshNames(): void {
    void this.search.refreshNames().catch(() => {});
  }

  /** One after the other, so that each attempt is closed once. */
  private closeOldAttempts(): void {
    this.closing = this.closing.then(() => closeOldAttempts(this.door, this.scanner.recorder)).catch(() => {});
  }

  private afterUpload(): void {
    this.door.refresh();
    // The conflicts of the lines are in the next list.
    this.keeper.kick();
  }
}
