import type { VNode } from 'preact';

/** Says that a payment is awaited; with scripts, the script of the page looks again. @param props.path of the next look */
export function LookAgain({ path, text }: { readonly path: string; readonly text: string }): VNode {
  return (
    <section class="notice step" role="status" data-again={path}>
      <p>{text}</p>
    </section>
  );
}

/** What makes a page with {@link LookAgain} look again, also without scripts. @param path of the next look; undefined: the page does not */
export function lookingAgain(path: string | undefined): { hasScript: boolean; head?: VNode } {
  if (path === undefined) return { hasScript: false };
  const head = (
    <noscript>
      <meta http-equiv="refresh" content={`3;url=${path}`} />
    </noscript>
  );
  return { hasScript: true, head };
}
