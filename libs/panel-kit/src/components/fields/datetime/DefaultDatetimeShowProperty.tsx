import { isLeftOut, Shown } from '../../shared/Field.js';
import { dayAndTime, dayOf } from '../../shared/times.js';
import type { ShownProps } from '../../page/props.js';

/** A time on the detail page, in full. */
export default function DefaultDatetimeShowProperty({ property, record }: ShownProps) {
  const value = record.params[property.path];
  if (isLeftOut(property, record)) return null;
  return (
    <Shown property={property}>
      {value ? (
        <time dateTime={String(value)}>{property.type === 'date' ? dayOf(value) : dayAndTime(value)}</time>
      ) : (
        <span className="gt-absent">–</span>
      )}
    </Shown>
  );
}
