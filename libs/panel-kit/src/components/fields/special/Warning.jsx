import React from 'react';

/** A warning at the top of a detail page; absent when the value is empty. */
export default function Warning({ property, record }) {
  const text = record.params[property.path];
  return text ? <p className="gt-stale">{text}</p> : null;
}
