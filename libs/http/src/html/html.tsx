import type { ComponentChildren, VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';

/** A component as HTML. Texts and attributes are escaped. */
export function htmlOf(content: ComponentChildren): string {
  return renderToString(<>{content}</>);
}

/** A whole document. @param html the element `html` */
export function documentOf(html: VNode): string {
  return `<!doctype html>\n${renderToString(html)}\n`;
}

/** HTML that is already safe, such as a sanitised description. It has no element of its own. */
export function SafeHtml({ html }: { readonly html: string }): VNode {
  return jsxTemplate([html]) as VNode;
}

/** Facts on one line. Where the line wraps, the dot ends a line and does not begin one. */
export function Dotted({ facts }: { readonly facts: readonly ComponentChildren[] }): VNode {
  return (
    <>
      {facts.map((fact, index) => (
        <>
          {index === 0 ? '' : '\u00a0· '}
          {fact}
        </>
      ))}
    </>
  );
}

/** Texts or elements, one below the other. */
export function Stacked({ children }: { readonly children: readonly ComponentChildren[] }): VNode {
  return (
    <>
      {children.map((line, index) => (
        <>
          {index > 0 && <br />}
          {line}
        </>
      ))}
    </>
  );
}
