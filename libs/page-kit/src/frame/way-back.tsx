import type { VNode } from 'preact';

/** The link above a page to the page before it. */
export function WayBack({ path, label }: { readonly path: string; readonly label: string }): VNode {
  return (
    <p class="back">
      <a href={path}>← {label}</a>
    </p>
  );
}
