import { useEffect, useRef, type RefObject } from 'react';

const edge = 8;
const least = 240;

/** Moves the list of an open menu to where all of it is seen, beside the side bar and within the window; a long one scrolls. */
function keepInView({ currentTarget: menu }: Event): void {
  const list = menu instanceof HTMLDetailsElement && menu.open ? menu.querySelector('ul') : null;
  if (!list) return;
  list.style.translate = list.style.maxHeight = '';
  const { left, right, top } = list.getBoundingClientRect();
  const page = document.querySelector('[data-css="app-content"]') ?? document.documentElement;
  const from = page.getBoundingClientRect().left + edge;
  const to = from + page.clientWidth - 2 * edge;
  const shift = left < from ? from - left : Math.max(from - left, Math.min(0, to - right));
  list.style.translate = `${shift}px`;
  list.style.maxHeight = `${Math.max(least, window.innerHeight - edge - top)}px`;
  list.scrollIntoView({ block: 'nearest' });
}

/** Closes a `details` element that serves as a menu on a click elsewhere and on Escape, and keeps its list in view. */
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
    const element = menu.current;
    element?.addEventListener('toggle', keepInView);
    // Before the click opens a dialog.
    document.addEventListener('click', close, true);
    document.addEventListener('keydown', close);
    return () => {
      element?.removeEventListener('toggle', keepInView);
      document.removeEventListener('click', close, true);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return menu;
}
