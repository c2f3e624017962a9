import React from 'react';
import { useTranslation } from 'adminjs';
import { Badge } from './shared/Badge.jsx';

/** A plain value, or the word for one of an enumeration in its colour. */
export default function DefaultPropertyValue({ property, record }) {
  const { tl } = useTranslation();
  const value = record?.params[property.path];
  if (value === undefined || value === null || value === '') return <span className="gt-absent">–</span>;
  if (!property.availableValues) {
    const code = property.type === 'uuid';
    return code ? <code className="gt-code">{String(value)}</code> : <span>{String(value)}</span>;
  }
  const word = tl(`${property.path}.${value}`, property.resourceId, { defaultValue: String(value) });
  const tone = property.custom?.tones?.[value];
  return tone ? <Badge tone={tone}>{word}</Badge> : <span>{word}</span>;
}
