import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { laterParts, loadLaterParts, type LaterParts } from '../app/later-parts.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { StartingScreen } from './starting.js';

/** Loads the parts again when something needs them that the start could not load. */
export function useParts(model: ScreenOptions['model'], needed: boolean): LaterParts | null {
  const { value: parts } = laterParts;
  const missing = needed && !parts;
  useEffect(() => {
    if (missing) void model.attempt(loadLaterParts);
  }, [missing, model]);
  return parts;
}

/** The sheet that is open, if one is. */
export function SheetSlot({ model, camera }: ScreenOptions): JSX.Element | null {
  const parts = useParts(model, model.sheet.value !== null);
  return parts && <parts.Sheets model={model} camera={camera} />;
}

/** One of the screens that load later. Until it is there, the app starts, or says why not. */
export function ScreenSlot({ model, camera, name }: ScreenOptions & { readonly name: keyof LaterParts['screens'] }): JSX.Element {
  const parts = useParts(model, true);
  if (!parts) return <StartingScreen model={model} />;
  const Screen = parts.screens[name];
  return <Screen model={model} camera={camera} />;
}

/** What may stand beside the picture: a newer version, and the tickets of the practice. */
export function NoteSlot({
  model,
  name,
}: Pick<ScreenOptions, 'model'> & { readonly name: 'UpdateNote' | 'PracticeTickets' }): JSX.Element | null {
  const { value: parts } = laterParts;
  if (!parts) return null;
  const Note = parts[name];
  return <Note model={model} />;
}
