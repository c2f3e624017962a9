/** The operator stopped the command: it ends as soon as what it opened is closed. */
export class StoppedError extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
  }
}

/** What a running command knows of signals. */
export interface StopSignals {
  /** Rejects with StoppedError at the first signal, and never resolves. */
  readonly stopped: Promise<never>;
  /** @throws StoppedError when there was a signal */
  check(): void;
  /** Signals end the process again as they always do. */
  ignoreFromNow(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm sends its child a copy of the Ctrl-C that the terminal sends to both: so near to the first, a second is no second wish. */
const copyMilliseconds = 500;

/**
 * Turns signals into an error that passes every `finally`, so that an embedded PostgreSQL is let go of. Whoever asks a second time
 * does not wait for that: the next command finds PostgreSQL running and joins it.
 */
export function watchStopSignals(): StopSignals {
  let first: { error: StoppedError; at: number } | undefined;
  let reject: (error: StoppedError) => void;
  const stopped = new Promise<never>((_resolve, rejectStopped) => {
    reject = rejectStopped;
  });
  stopped.catch(() => undefined);
  const listener = (signal: NodeJS.Signals): void => {
    if (first && performance.now() - first.at < copyMilliseconds) return;
    if (first) process.exit(1);
    first = { error: new StoppedError(signal), at: performance.now() };
    process.stderr.write('Stopping …\n');
    reject(first.error);
  };
  for (const signal of signals) process.on(signal, listener);
  return {
    stopped,
    check() {
      if (first) throw first.error;
    },
    ignoreFromNow() {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
