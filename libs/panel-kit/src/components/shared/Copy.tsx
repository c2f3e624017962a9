import { useState } from 'react';
import { useTranslation } from 'adminjs';

/** Copies a text. Without HTTPS browsers offer no `navigator.clipboard`; then the text is selected and copied with `execCommand`. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'gt-unseen';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** A text with a copy button. Without `label` when the text is labelled already. */
export function Copy({ label, text }: { readonly label?: string; readonly text: string }) {
  const { tb } = useTranslation();
  const [done, setDone] = useState(false);
  const take = async () => {
    await copy(text);
    setDone(true);
    setTimeout(() => setDone(false), 3000);
  };
  return (
    <div className="gt-copy">
      {label ? <span className="gt-copy-label">{label}</span> : null}
      <code className="gt-code">{text}</code>
      <button type="button" className="gt-button gt-button-quiet" onClick={() => void take()}>
        {tb('copy')}
      </button>
      <span role="status" className="gt-copy-done">
        {done ? `✓ ${tb('copied')}` : ''}
      </span>
    </div>
  );
}
