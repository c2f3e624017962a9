/** The operator stopped the command: it ends as soon as everything it opened is closed. */
export class StoppedError extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`Stopped by ${signal}.`);
  }
}

/** The signals of a running command. */
export interface StopSignals {
  /** Rejects with StoppedError at the first signal, and never resolves. */
  readonly stopped: Promise<never>;
  /** @throws StoppedError when there was a signal */
  check(): void;
  /** Restores the default handling of signals. */
  ignoreFromNow(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm sends its child a copy of the Ctrl-C that the terminal sends to both: a second signal within this time is ignored. */
const copyMilliseconds = 500;

/**
 * Turns signals into an error that runs every `finally`, so that an embedded PostgreSQL is released. A second signal ends the process
 * without waiting: the next command finds PostgreSQL running and joins it.
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
