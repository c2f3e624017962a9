import { WayBack } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';

interface OrderArticleProps {
  /** The page to which the link above leads. */
  readonly back: { readonly path: string; readonly label: string };
  /** What is in its header: the heading first. */
  readonly header: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The main part of a page on the way to an order, or about one: the way back, the heading and what is below it. */
export function OrderArticle({ back, header, children }: OrderArticleProps): VNode {
  return (
    <>
      <WayBack {...back} />
      <article class="holder order-page">
        <header>{header}</header>
        {children}
      </article>
    </>
  );
}
