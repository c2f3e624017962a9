import React from 'react';

/** Above all else on a detail page; nothing where there is nothing to say. */
export default function Warning({ property, record }) {
  const text = record.params[property.path];
  return text ? <p className="gt-stale">{text}</p> : null;
}
