/** A preformatted text in a box that scrolls, also with the keyboard. */
export function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre className="gt-code gt-code-box" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}
