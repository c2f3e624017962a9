import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import { orderWords } from '../frame/order.words.js';

/** The link to the form, for who typed a wrong address. `path`: of the form. */
export function FormAgain({ path }: { readonly path: string }): VNode {
  return (
    <p>
      <a href={path}>{orderWords[currentLanguage()].formAgain}</a>
    </p>
  );
}

/** Leads to the order that has the same tickets. `path`: of that order; undefined: there is none. */
export function SameBefore({ path }: { readonly path: string | undefined }): VNode | null {
  if (path === undefined) return null;
  const words = orderWords[currentLanguage()];
  return (
    <section class="notice step" role="status">
      <p>
        {words.sameBefore} <a href={path}>{words.showBefore}</a>
      </p>
    </section>
  );
}
