import { useEffect, useRef, type RefObject } from 'react';

/** Closes a `details` element that serves as a menu on a click elsewhere and on Escape. */
export function useClosing(): RefObject<HTMLDetailsElement> {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const inside = menu.current?.querySelector('summary')?.contains(event.target as Node);
      if (!menu.current?.open || inside || (event instanceof KeyboardEvent && event.key !== 'Escape')) return;
      // Before the menu hides what has the focus: a dialog that was opened from it gives the focus back to where it was.
      if (event.type === 'keydown' || menu.current.contains(document.activeElement)) menu.current.querySelector('summary')?.focus();
      menu.current.open = false;
    };
    // Before the click opens a dialog.
    document.addEventListener('click', close, true);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close, true);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return menu;
}
