import React from 'react';

/** A text as it was sent or came in, which scrolls by itself; by the keyboard, too. */
export function Code({ label, text }) {
  return (
    <pre className="gt-code gt-code-box" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
