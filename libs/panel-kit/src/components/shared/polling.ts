import { useCallback, useEffect, useRef, useState } from 'react';

/** What is read again and again. */
export interface Polled<Value> {
  /** The last value; null until there is one. */
  readonly value: Value | null;
  readonly failed: boolean;
  readonly at: Date | null;
  readonly reload: () => Promise<void>;
}

/**
 * Calls `load` repeatedly while the page is visible, and at once when it becomes visible again.
 * @param milliseconds interval
 */
export function usePolling<Value>(load: () => Promise<Value>, milliseconds: number): Polled<Value> {
  const [state, setState] = useState<Omit<Polled<Value>, 'reload'>>({ value: null, failed: false, at: null });
  const latest = useRef(load);
  latest.current = load;
  const underWay = useRef(0);
  const reload = useCallback(async () => {
    underWay.current += 1;
    try {
      const value = await latest.current();
      setState({ value, failed: false, at: new Date() });
    } catch {
      setState((before) => ({ ...before, failed: true }));
    }
    underWay.current -= 1;
  }, []);
  useEffect(() => {
    const tick = () => {
      // While an answer is slow, it is not asked for again.
      if (document.visibilityState === 'visible' && underWay.current === 0) void reload();
    };
    tick();
    const timer = setInterval(tick, milliseconds);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [milliseconds]);
  return { ...state, reload };
}
