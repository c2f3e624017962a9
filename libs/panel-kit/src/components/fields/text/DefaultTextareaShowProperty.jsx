import React from 'react';
import { Shown } from '../../shared/Field.jsx';

/** A long text on the detail page, with its line breaks. */
export default function DefaultTextareaShowProperty({ property, record }) {
  const value = record.params[property.path];
  return <Shown property={property}>{value ? <span className="gt-long">{String(value)}</span> : undefined}</Shown>;
}
