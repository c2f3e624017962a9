import { useEffect, useRef } from 'react';

/** Whether a key is text for the element with the focus. Fields of numbers take digits only. */
function isTyped(target: EventTarget | null, key: string): boolean {
  const field = target instanceof Element ? target.closest<HTMLInputElement>('input, select, textarea, [contenteditable]') : null;
  if (!field || ['radio', 'checkbox'].includes(field.type)) return false;
  return field.inputMode !== 'numeric' || /^\d$/.test(key) || key.length > 1;
}

/**
 * One key per action, while the focus is in the box office, which has the attribute `data-keys`, or nowhere.
 * @param actions by key in lower case
 */
export function useKeys(actions: Readonly<Partial<Record<string, () => void>>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target, key, repeat } = event;
      if (event.defaultPrevented || repeat || event.ctrlKey || event.altKey || event.metaKey || isTyped(target, key)) return;
      if (target !== document.body && !(target instanceof Element && target.closest('[data-keys]'))) return;
      const act = latest.current[key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
