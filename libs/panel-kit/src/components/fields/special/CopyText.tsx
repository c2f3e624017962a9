import { Copy } from '../../shared/Copy.js';
import { Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** A text on the detail page with a copy button. */
export default function CopyText({ property, record }: ShownProps) {
  const text = record.params[property.path];
  return <Shown property={property}>{text ? <Copy text={text} /> : undefined}</Shown>;
}
