import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ScreenOptions } from '../screens/app.js';

/** The sheets are a file of their own, which the first screen does not wait for. The service worker stores it with the others. */
const loaded = signal<typeof import('./sheets.js') | null>(null);

/** @throws TypeError when neither the phone nor the network has the file */
export async function loadSheets(): Promise<void> {
  loaded.value ??= await import('./sheets.js');
}

/** The sheet that is open, if one is. */
export function SheetSlot({ model, camera }: ScreenOptions): JSX.Element | null {
  const { value: parts } = loaded;
  const missing = model.sheet.value !== null && !parts;
  useEffect(() => {
    if (missing) void model.attempt(loadSheets);
  }, [missing, model]);
  return parts && <parts.Sheets model={model} camera={camera} />;
}
