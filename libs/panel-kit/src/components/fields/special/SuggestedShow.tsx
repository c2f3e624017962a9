import { useTranslation } from 'adminjs';
import { Shown } from '../../shared/Field.js';
import { decimal } from '../../shared/numbers.js';
import { wordKey } from '../../shared/words.js';
import type { ShownProps } from '../../page/props.js';

/** The name of a common value, or a rate in percent. */
export default function SuggestedShow({ property, record }: ShownProps) {
  const { tl } = useTranslation();
  const value = record.params[property.path];
  const rate = value ? `${decimal(value)}\u00a0%` : undefined;
  const word = tl(`${property.path}.${wordKey(value)}`, property.resourceId, { defaultValue: rate });
  return <Shown property={property}>{value ? word : undefined}</Shown>;
}
