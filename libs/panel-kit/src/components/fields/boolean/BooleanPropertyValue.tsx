import { useTranslation } from 'adminjs';
import { Badge } from '../../shared/Badge.js';
import type { ShownProps } from '../../page/props.js';

/** A boolean as the words "yes" and "no", or as the property's own words. */
export default function BooleanPropertyValue({ property, record }: ShownProps) {
  const { tl } = useTranslation();
  const value = record.params[property.path];
  if (value === undefined || value === null || value === '') return <span className="gt-absent">–</span>;
  const yes = value === true || value === 'true';
  const tone = property.custom?.tones?.[String(yes)];
  const word = tl(`${property.path}.${yes}`, property.resourceId, { defaultValue: tl(yes ? 'yes' : 'no') });
  return tone ? <Badge tone={tone}>{word}</Badge> : <span>{word}</span>;
}
