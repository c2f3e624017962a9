import React from 'react';
import { Copy } from '../../shared/Copy.jsx';
import { Shown } from '../../shared/Field.jsx';

/** A text on the detail page with a copy button. */
export default function CopyText({ property, record }) {
  const text = record.params[property.path];
  return <Shown property={property}>{text ? <Copy text={text} /> : undefined}</Shown>;
}
