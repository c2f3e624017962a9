import { useTranslation } from 'adminjs';
import { Choice } from '../../shared/Choice.js';
import type { FilterProps } from '../../page/props.js';

/** A filter with the choices yes, no and all. */
export default function DefaultBooleanFilterProperty({ property, filter, onChange }: FilterProps) {
  const { tl } = useTranslation();
  const word = (value: string): string =>
    tl(`${property.path}.${value}`, property.resourceId, { defaultValue: tl(value === 'true' ? 'yes' : 'no') });
  const values = ['true', 'false'].map((value) => ({ value, label: word(value) }));
  const value = filter[property.path] === undefined ? '' : String(filter[property.path]);
  return <Choice property={property} where="filter" value={value} empty={tl('all')} values={values} onChange={onChange} />;
}
