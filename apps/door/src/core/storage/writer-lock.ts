/** The Web Locks of browsers that have them (Safari 15.4, Chrome 69, Firefox 96). */
interface Locks {
  request(name: string, options: { readonly signal?: AbortSignal; readonly steal?: boolean }, work: () => Promise<void>): Promise<void>;
}

interface Events {
  /** Another tab holds the lock. */
  readonly onWait: () => void;
  /** Another tab took the lock away. */
  readonly onLost: () => void;
}

/** Milliseconds until a tab that waits says so. */
const soon = 200;

/**
 * The right to write, which one tab of the browser has. Without Web Locks every tab has it; the journal itself refuses to continue where
 * another tab wrote.
 */
export class WriterLock {
  private readonly waiting = new AbortController();
  private holds = false;
  private give: () => void = () => {};
  private held: () => void = () => {};
  private failed: (error: unknown) => void = () => {};

  constructor(
    private readonly name: string,
    private readonly events: Events,
  ) {}

  /** Waits until no other tab writes, and then holds the lock until `release`. @throws DOMException when it is released before */
  async take(): Promise<void> {
    if (!locks()) return;
    const waiting = setTimeout(this.events.onWait, soon);
    try {
      await new Promise<void>((held, failed) => {
        this.held = held;
        this.failed = failed;
        this.request({ signal: this.waiting.signal });
      });
    } finally {
      clearTimeout(waiting);
    }
  }

  /** Takes the lock from the tab that holds it, also when the system froze that tab. `take` then settles. */
  steal(): void {
    if (this.holds) return;
    this.waiting.abort();
    this.request({ steal: true });
  }

  release(): void {
    this.waiting.abort();
    this.holds = false;
    this.failed(new DOMException('The app was closed.', 'AbortError'));
    this.give();
  }

  private request(options: { readonly signal?: AbortSignal; readonly steal?: boolean }): void {
    const work = (): Promise<void> =>
      new Promise((give) => {
        this.give = give;
        this.holds = true;
        this.held();
      });
    locks()
      ?.request(this.name, options, work)
      .catch((error: unknown) => {
        // This request no longer waits, because another one of this tab took the lock.
        if (options.signal?.aborted) return;
        if (!this.holds) return this.failed(error);
        this.holds = false;
        this.events.onLost();
      });
  }
}

const locks = (): Locks | undefined => (globalThis.navigator as { readonly locks?: Locks } | undefined)?.locks;
