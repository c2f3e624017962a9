import { Burst, longestGap, type KeyPress } from './burst.js';

/**
 * Hears keyboard scanners without a focused field: they type a code within a moment and end it with Enter or a pause. People who type
 * are slower, or in a field.
 * @param onStrokes gets the key presses of one code, in their order
 */
export function listenToKeyboard(onStrokes: (strokes: readonly KeyPress[]) => void): void {
  const burst = new Burst();
  let pause: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    const strokes = burst.take();
    if (strokes) onStrokes(strokes);
  };
  addEventListener(
    'keydown',
    (event) => {
      const { key, code, shiftKey, ctrlKey, altKey, metaKey, target, timeStamp } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
      // AltGr is Ctrl with Alt on some keyboards: scanners press it for characters.
      if (metaKey || ctrlKey !== altKey) return;
      clearTimeout(pause);
      if (key === 'Enter' || key === 'Tab') {
        // Otherwise the Enter of the scanner presses the focused button.
        if (burst.isCode) event.preventDefault();
        end();
        return;
      }
      // When the key was pressed: a busy phone hears it later.
      burst.add({ key, code, shift: shiftKey }, timeStamp);
      // A focused button would take a space as a press.
      if (burst.isCode) event.preventDefault();
      pause = setTimeout(end, longestGap);
    },
    { capture: true },
  );
}
