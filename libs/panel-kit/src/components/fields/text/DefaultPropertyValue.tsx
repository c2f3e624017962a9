import { useTranslation } from 'adminjs';
import { AddressText } from './AddressText.js';
import { Badge } from '../../shared/Badge.js';
import { decimal } from '../../shared/numbers.js';
import { wordKey } from '../../shared/words.js';
import type { ShownProps } from '../../page/props.js';

/** A plain value, or the label of an enumeration's value with its colour. */
export default function DefaultPropertyValue({ property, record }: ShownProps) {
  const { tl } = useTranslation();
  const value = record?.params[property.path];
  if (value === undefined || value === null || value === '') return <span className="gt-absent">–</span>;
  if (!property.availableValues) {
    const kind = property.custom?.input;
    if (kind === 'uuid') return <code className="gt-code">{value}</code>;
    if (kind === 'decimal') return <span className="gt-number">{decimal(value)}</span>;
    if (kind === 'url') return <span className="gt-breaks">{String(value)}</span>;
    // A name falls back to an address.
    return kind === 'email' || String(value).includes('@') ? <AddressText text={String(value)} /> : <span>{String(value)}</span>;
  }
  const word = tl(`${property.path}.${wordKey(value)}`, property.resourceId, { defaultValue: String(value) });
  const tone = property.custom?.tones?.[value];
  return tone ? <Badge tone={tone}>{word}</Badge> : <span>{word}</span>;
}
