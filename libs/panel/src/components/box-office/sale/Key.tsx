/** The key of an action, beside its label; style sheets hide it where there is no keyboard. */
export function Key({ of: name }: { readonly of: string | undefined }) {
  return name ? (
    <kbd className="gt-key" aria-hidden="true">
      {name.toUpperCase()}
    </kbd>
  ) : null;
}
