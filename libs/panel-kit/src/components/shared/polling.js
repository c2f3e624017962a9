import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Asks again and again while the page is seen, and at once when it is seen again.
 *
 * @param {() => Promise<unknown>} load
 * @returns {{ value: unknown, failed: boolean, at: Date | null, reload: () => Promise<void> }}
 */
export function usePolling(load, milliseconds) {
  const [state, setState] = useState({ value: null, failed: false, at: null });
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(async () => {
    try {
      const value = await latest.current();
      setState({ value, failed: false, at: new Date() });
    } catch {
      setState((before) => ({ ...before, failed: true }));
    }
  }, []);
  useEffect(() => {
    const tick = () => {
      if (document.visibilityState === 'visible') void reload();
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
