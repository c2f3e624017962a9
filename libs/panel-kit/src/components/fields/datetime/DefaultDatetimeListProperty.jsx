import React from 'react';
import { briefly, dayOf } from '../../shared/times.js';

/** A time in a list, in the venue's time zone. */
export default function DefaultDatetimeListProperty({ property, record }) {
  const value = record.params[property.path];
  if (!value) return <span className="gt-absent">–</span>;
  return <time dateTime={String(value)}>{property.type === 'date' ? dayOf(value) : briefly(value)}</time>;
}
