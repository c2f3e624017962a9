import { ApiClient } from 'adminjs';
import { useEffect, useRef, useState } from 'react';

/** Pause after the last key before the search starts, in milliseconds. */
const PAUSE = 200;
export const LONGEST = 200;
const api = new ApiClient();
const NOTHING = { text: '', state: 'idle', answer: null };

/**
 * Searches for the typed text. A newer search aborts the older one, in the browser and on the server. Previous results stay until the next
 * ones arrive, so that the list does not flicker.
 * @returns `found`: the results, their text and the state; `searchNow`: searches at once and returns the answer, or null after an error
 */
export function useSearch(text) {
  const [found, setFound] = useState(NOTHING);
  const running = useRef(null);
  const wanted = text.trim();

  const stop = () => {
    running.current?.abort.abort();
    running.current = null;
  };
  const searchNow = (asked) => {
    if (running.current?.text === asked) return running.current.answer;
    stop();
    const abort = new AbortController();
    setFound((before) => ({ ...before, state: 'busy' }));
    const answer = api.client
      .post('/api/search', { text: asked }, { signal: abort.signal })
      .then(({ data }) => {
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
