import { useEffect, useState } from 'react';

const stemOf = (name) => name.replace(/\d+$/, '');

/** What the form would make with the current values, as the server says. @param call reads the view of the form */
export function usePreview(view, values, call) {
  const [text, setText] = useState('');
  const asked = Object.entries(values).filter(([name, value]) => value && view?.preview?.includes(stemOf(name)));
  const key = JSON.stringify(asked);
  useEffect(() => {
    if (asked.length === 0) return undefined;
    let isOld = false;
    const ask = async () => {
      // Without an answer the form is as useful as before.
      const answer = await call({ params: { ...Object.fromEntries(asked), preview: 'true' } }).catch(() => undefined);
      if (!isOld) setText(answer?.data.view?.previewed ?? '');
    };
    const timer = setTimeout(() => void ask(), 400);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);
  return text;
}
