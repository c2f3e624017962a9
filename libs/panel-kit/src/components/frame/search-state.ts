import { ApiClient } from 'adminjs';
import { useEffect, useRef, useState } from 'react';
import type { SearchAnswer } from '../../search/search.router.js';

/** Pause after the last key before the search starts, in milliseconds. */
const PAUSE = 200;
export const LONGEST = 200;
/** What was found for a text. */
export interface Found {
  readonly text: string;
  readonly state: 'idle' | 'busy' | 'done' | 'failed';
  readonly answer: SearchAnswer | null;
}

interface Running {
  readonly text: string;
  readonly abort: AbortController;
  readonly answer: Promise<SearchAnswer | null>;
}

const NOTHING: Found = { text: '', state: 'idle', answer: null };

// AdminJS's own client, because an answer 401 leads to the sign-in page then (`session-watch`).
const ask = (text: string, signal: AbortSignal): Promise<{ readonly data: SearchAnswer }> =>
  new ApiClient()['client'].post('/api/search', { text }, { signal });

/**
 * Searches for the typed text. A newer search aborts the older one, in the browser and on the server. Previous results stay until the next
 * ones arrive, so that the list does not flicker.
 * @returns `found`: the results, their text and the state; `searchNow`: searches at once and returns the answer, or null after an error
 */
export function useSearch(text: string): { readonly found: Found; readonly searchNow: (asked: string) => Promise<SearchAnswer | null> } {
  const [found, setFound] = useState<Found>(NOTHING);
  const running = useRef<Running | null>(null);
  const wanted = text.trim();

  const stop = (): void => {
    running.current?.abort.abort();
    running.current = null;
  };
  const searchNow = (asked: string): Promise<SearchAnswer | null> => {
    if (running.current?.text === asked) return running.current.answer;
    stop();
    const abort = new AbortController();
    setFound((before) => ({ ...before, state: 'busy' }));
    const answer = ask(asked, abort.signal)
      .then(({ data }): SearchAnswer | null => {
        setFound({ text: asked, state: 'done', answer: data });
        return data;
      })
      .catch(() => {
        // An aborted search shows no error.
        if (!abort.signal.aborted) setFound({ text: asked, state: 'failed', answer: null });
        return null;
      });
    running.current = { text: asked, abort, answer };
    return answer;
  };
  useEffect(() => {
    if (wanted === '') {
      stop();
      setFound(NOTHING);
      return undefined;
    }
    const timer = setTimeout(() => void searchNow(wanted), PAUSE);
    return () => clearTimeout(timer);
  }, [wanted]);
  useEffect(() => stop, []);
  return { found, searchNow };
}
