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
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
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
