import { useTranslation } from 'adminjs';
import { Choice, useValues } from '../../shared/Choice.js';
import { controlProps, Field } from '../../shared/Field.js';
import type { FilterProps } from '../../page/props.js';

function ChoiceFilter({ property, filter, onChange }: FilterProps) {
  const { tl } = useTranslation();
  const values = useValues(property);
  const value = filter[property.path];
  return <Choice property={property} where="filter" value={value} empty={tl('all')} values={values} onChange={onChange} />;
}

/** A filter by one property: by one of its values, or by a part of its text. */
export default function DefaultFilterProperty(props: FilterProps) {
  const { property, filter, onChange } = props;
  if (property.availableValues) return <ChoiceFilter {...props} />;
  return (
    <Field property={property} where="filter">
      <input
        {...controlProps(property, undefined, 'filter')}
        type="search"
        autoComplete="off"
        value={filter[property.path] ?? ''}
        onChange={({ target }) => onChange(property.path, target.value)}
      />
    </Field>
  );
}
