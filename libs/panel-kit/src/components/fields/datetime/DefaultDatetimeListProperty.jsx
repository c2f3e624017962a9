import React from 'react';
import { briefly, dayOf } from '../../shared/times.js';

/** A time in a list, on the place's clock. */
export default function DefaultDatetimeListProperty({ property, record }) {
  const value = record.params[property.path];
  if (!value) return <span className="gt-absent">–</span>;
  return <time dateTime={String(value)}>{property.type === 'date' ? dayOf(value) : briefly(value)}</time>;
}
