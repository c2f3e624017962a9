import { ApiClient } from 'adminjs';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a key before what is typed is searched. */
const PAUSE = 200;
export const LONGEST = 200;
const api = new ApiClient();
const NOTHING = { text: '', state: 'idle', answer: null };

/**
 * The results of what is typed. A search that another one supersedes is given up, in the browser and on the server. Results stay until the
 * next ones are there, so that the list does not flicker.
 *
 * @returns `found` of which text, `searchNow` that answers once it is known, and `forget`
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
        // Of a search that was given up nothing is said.
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
