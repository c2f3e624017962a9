import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/texts.js';
import { Button } from './button.js';

interface SheetOptions {
  readonly name: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the screen: keeps the focus inside, closes with Escape and with its button. */
export function SheetFrame({ name, title, onClose, children }: SheetOptions): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const { current } = dialog;
    current?.showModal();
    return () => {
      current?.close();
      // The browser gives no focus back when the dialog leaves the page at once.
      setTimeout(() => document.activeElement === document.body && before instanceof HTMLElement && before.focus({ preventScroll: true }));
    };
  }, []);
  return (
    <dialog ref={dialog} class="sheet" data-sheet={name} aria-labelledby={`sheet-${name}`} onCancel={() => onClose()}>
      <header>
        <h2 id={`sheet-${name}`}>{title}</h2>
        <Button action="close-sheet" icon="close" onPress={onClose}>
          {t('actions.close')}
        </Button>
      </header>
      <div class="sheet-body">{children}</div>
    </dialog>
  );
}
