import { useEffect, useRef } from 'react';

/** Closes a `details` element that serves as a menu on a click elsewhere and on Escape. */
export function useClosing() {
  const menu = useRef(null);
  useEffect(() => {
    const close = (event) => {
      const inside = menu.current?.querySelector('summary')?.contains(event.target);
      if (!menu.current?.open || inside || (event.type === 'keydown' && event.key !== 'Escape')) return;
      menu.current.open = false;
      if (event.type === 'keydown') menu.current.querySelector('summary').focus();
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return menu;
}
