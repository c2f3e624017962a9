import { Link } from 'react-router-dom';
import type { ShownProps } from '../../page/props.js';

/** A warning at the top of a detail page; absent when the value is empty. Leads to where it is mended, if the record says so. */
export default function Warning({ property, record }: ShownProps) {
  const text = record.params[property.path];
  const href = record.params[`${property.path}Href`];
  return text ? <p className="gt-stale">{href ? <Link to={href}>{text}</Link> : text}</p> : null;
}
