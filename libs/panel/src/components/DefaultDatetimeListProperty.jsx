import React from 'react';
import { dayAndTime, dayOf } from './shared/times.js';

/** A time in a list, on the place's clock. */
export default function DefaultDatetimeListProperty({ property, record }) {
  const value = record.params[property.path];
  if (!value) return <span className="gt-absent">–</span>;
  return <time dateTime={String(value)}>{property.type === 'date' ? dayOf(value) : dayAndTime(value)}</time>;
}
