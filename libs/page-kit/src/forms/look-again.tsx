import type { VNode } from 'preact';

/** Says that a payment is awaited; with scripts, the script of the page looks again. @param props.path of the next look */
export function LookAgain({ path, text }: { readonly path: string; readonly text: string }): VNode {
  return (
    <section class="notice step" role="status" data-again={path}>
      <p>{text}</p>
    </section>
  );
}

/**
 * What in the head makes a page with {@link LookAgain} look again without scripts.
 * @param path of the next look; undefined: the page does not
 */
export function lookingAgain(path: string | undefined): VNode | undefined {
  return path === undefined ? undefined : (
    <noscript>
      <meta http-equiv="refresh" content={`3;url=${path}`} />
    </noscript>
  );
}
