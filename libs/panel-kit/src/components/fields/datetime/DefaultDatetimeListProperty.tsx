import { briefly, dayOf } from '../../shared/times.js';
import type { ShownProps } from '../../page/props.js';

/** A time in a list, in the venue's time zone. */
export default function DefaultDatetimeListProperty({ property, record }: ShownProps) {
  const value = record.params[property.path];
  if (!value) return <span className="gt-absent">–</span>;
  return <time dateTime={String(value)}>{property.type === 'date' ? dayOf(value) : briefly(value)}</time>;
}
