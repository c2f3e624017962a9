import { isLeftOut, Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** A long text on the detail page, with its line breaks. */
export default function DefaultTextareaShowProperty({ property, record }: ShownProps) {
  const value = record.params[property.path];
  if (isLeftOut(property, record)) return null;
  return (
    <Shown property={property}>
      <span className="gt-long">{String(value)}</span>
    </Shown>
  );
}
