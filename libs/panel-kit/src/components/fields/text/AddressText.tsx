import { Fragment } from 'react';

/** A text with an e-mail address, which breaks after `@` and before dots, so that its words stay whole in narrow columns. */
export function AddressText({ text }: { readonly text: string }) {
  return (
    <span className="gt-address">
      {text.split(/(?<=@)|(?=\.)/).map((part, index) => (
        // Parts do not move.
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
