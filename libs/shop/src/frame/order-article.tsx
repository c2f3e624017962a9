import { WayBack } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';

interface OrderArticleProps {
  /** The page to which the link above leads. */
  readonly back: { readonly path: string; readonly label: string };
  /** What is in its header: the heading first. */
  readonly header: ComponentChildren;
  /** On a desk, stands beside the rest and stays in view. */
  readonly side?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The main part of a page on the way to an order, or about one: the way back, the heading and what is below it. */
export function OrderArticle({ back, header, side, children }: OrderArticleProps): VNode {
  return (
    <article class={side ? 'order-page columns' : 'order-page'}>
      <header class="page-head">
        <WayBack {...back} />
        {header}
      </header>
      <div class="columns-main">{children}</div>
      {side && <aside class="columns-side">{side}</aside>}
    </article>
  );
}
