import { Link } from 'react-router-dom';
import type { ShownProps } from '../../page/props.js';
import { recordAddress } from '../../shared/actions.js';

/** The name of another record, as a link when the user may see the record. */
export default function DefaultReferenceListProperty({ property, record }: ShownProps) {
  const id = record.params[property.path];
  if (!id) return <span className="gt-absent">–</span>;
  const other = record.populated[property.path];
  if (!other?.recordActions?.some(({ name }) => name === 'show')) return <span>{other?.title ?? id}</span>;
  return <Link to={recordAddress(property.reference ?? '', id)}>{other.title || id}</Link>;
}
