import { Fragment } from 'react';

/** Longer parts may break anywhere: otherwise one of them would make a column wider than its table. */
const longestWhole = 14;

/** A text with an e-mail address, which breaks after `@`, so that its words stay whole in narrow columns. */
export function AddressText({ text }: { readonly text: string }) {
  return (
    <span className="gt-address">
      {text.split(/(?<=@)/).map((part, index) => (
        // Parts do not move.
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part.length > longestWhole ? <span>{part}</span> : part}
        </Fragment>
      ))}
    </span>
  );
}
