import React from 'react';
import { useTranslation } from 'adminjs';
import { Code } from '../../shared/Code.jsx';
import { Shown } from '../../shared/Field.jsx';

/** A machine-readable text, such as JSON, on the detail page. */
export default function CodeBox({ property, record }) {
  const { tp } = useTranslation();
  const text = record.params[property.path];
  return <Shown property={property}>{text ? <Code label={tp(property.label, property.resourceId)} text={text} /> : undefined}</Shown>;
}
