import { flat, useTranslation } from 'adminjs';
import { Shown } from '../../shared/Field.js';
import { wordKey } from '../../shared/words.js';
import type { ShownProps } from '../../page/props.js';

/** A list of values of an enumeration: on one line in a list, as a list on the detail page. */
export default function WordList({ property, record, where }: ShownProps) {
  const { tl } = useTranslation();
  const values: readonly string[] = flat.get(record.params, property.path) ?? [];
  const words = values.map((value) => tl(`${property.path}.${wordKey(value)}`, property.resourceId, { defaultValue: value }));
  if (where !== 'show') return <span className="gt-words">{words.join(', ') || '–'}</span>;
  return (
    <Shown property={property}>
      <ul className="gt-related">
        {words.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
    </Shown>
  );
}
