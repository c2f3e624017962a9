import React from 'react';
import { ViewHelpers } from 'adminjs';
import { Link } from 'react-router-dom';

/** The name of another record, as a link when the user may see the record. */
export default function DefaultReferenceListProperty({ property, record }) {
  const id = record.params[property.path];
  if (!id) return <span className="gt-absent">–</span>;
  const other = record.populated[property.path];
  if (!other?.recordActions?.some(({ name }) => name === 'show')) return <span>{other?.title ?? id}</span>;
  const address = { resourceId: property.reference, recordId: id, actionName: 'show' };
  return <Link to={new ViewHelpers().recordActionUrl(address)}>{other.title || id}</Link>;
}
