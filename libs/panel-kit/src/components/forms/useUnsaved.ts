import { useEffect } from 'react';
import { useTranslation } from 'adminjs';
import { ask } from '../page/confirm.js';

const formOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('form[data-css$="-edit-form"]') : null;

/** Asks before a link leaves the form of a record in which something was entered that is not saved. */
export function useUnsaved(): void {
  const { tb, tm } = useTranslation();
  useEffect(() => {
    let changed: Element | null = null;
    const note = ({ target }: Event): void => {
      changed = formOf(target) ?? changed;
    };
    const leave = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const stays = event.ctrlKey || event.metaKey || event.shiftKey || !link?.href || link.target !== '' || link.download !== '';
      if (stays || !changed?.isConnected) return;
      event.preventDefault();
      event.stopPropagation();
      void ask({ question: tm('unsaved'), yes: tb('leave'), no: tb('cancel') }).then((leaves) => {
        if (!leaves) return;
        changed = null;
        link.click();
      });
    };
    document.addEventListener('input', note);
    // Before the router follows the link.
    document.addEventListener('click', leave, true);
    return () => {
      document.removeEventListener('input', note);
      document.removeEventListener('click', leave, true);
    };
  });
}
