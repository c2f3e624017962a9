import { useEffect, useState } from 'react';
import { call, type ActionAddress } from '../page/view.js';
import type { FormValues } from './FormRows.js';

const stemOf = (name: string): string => name.replace(/\d+$/, '');

/** What the form would make with the current values, as the server says. @param names fields that it depends on */
export function usePreview(address: ActionAddress, names: readonly string[], values: FormValues): string {
  const [text, setText] = useState('');
  const asked = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value !== '' && names.includes(stemOf(name)) ? [[name, value]] : [],
  );
  const key = JSON.stringify(asked);
  useEffect(() => {
    if (asked.length === 0) return undefined;
    let isOld = false;
    const ask = async (): Promise<void> => {
      // Without an answer the form is as useful as before.
      const params = { ...Object.fromEntries(asked), preview: 'true' };
      const answer = await call<{ readonly previewed?: string }>(address, { params }).catch(() => undefined);
      if (!isOld) setText(answer?.view?.previewed ?? '');
    };
    const timer = setTimeout(() => void ask(), 400);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);
  return text;
}
