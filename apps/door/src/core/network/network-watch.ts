export type NetworkKind = 'live' | 'slow' | 'offline';

/** An answer to a scan after this many milliseconds is late: the list decides. */
export const deadline = 800;
/** While answers are late, a scan waits less for the next one. */
const deadlineWhenSlow = 300;

/** How the device hears the server, from its last answer. Nothing is set by hand. */
export class NetworkWatch {
  private current: NetworkKind = 'offline';
  private count = 0;
  /** Whether something was heard since the start of the app, be it that nobody answers. */
  private known = false;

  /** @param onChange is called after each change */
  constructor(private readonly onChange: (kind: NetworkKind, before: NetworkKind) => void) {}

  get kind(): NetworkKind {
    return this.current;
  }

  /** Milliseconds that a scan waits for the server; 0: the list decides at once. After the start nobody knows yet: the server is asked. */
  get patience(): number {
    if (!this.known) return deadline;
    return this.current === 'live' ? deadline : this.current === 'slow' ? deadlineWhenSlow : 0;
  }

  /** How many answers came. */
  get answers(): number {
    return this.count;
  }

  /** An answer came. One good answer in time is enough to be live again. */
  answered(status: number, took: number): void {
    this.count += 1;
    this.known = true;
    this.become(status < 500 && took <= deadline ? 'live' : 'slow');
  }

  /** An answer did not come in time; it may come still. */
  late(): void {
    this.known = true;
    if (this.current === 'live') this.become('slow');
  }

  /** No answer came at all. */
  failed(): void {
    this.known = true;
    this.become('offline');
  }

  /**
   * A request got no answer for a long time. Its connection may be dead while newer ones are answered: then it says nothing.
   * @param before `answers` when it was sent
   */
  silent(before: number): void {
    if (this.count === before) this.failed();
  }

  private become(kind: NetworkKind): void {
    const before = this.current;
    if (kind === before) return;
    this.current = kind;
    this.onChange(kind, before);
  }
}
