import { useTranslation } from 'adminjs';
import { Code } from '../../shared/Code.js';
import { Shown } from '../../shared/Field.js';
import type { ShownProps } from '../../page/props.js';

/** A machine-readable text, such as JSON, on the detail page. */
export default function CodeBox({ property, record }: ShownProps) {
  const { tp } = useTranslation();
  const text = record.params[property.path];
  return <Shown property={property}>{text ? <Code label={tp(property.label, property.resourceId)} text={text} /> : undefined}</Shown>;
}
