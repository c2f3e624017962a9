import React from 'react';
import { useTranslation } from 'adminjs';
import { Choice, useValues } from '../../shared/Choice.jsx';
import { controlProps, Field } from '../../shared/Field.jsx';

function ChoiceFilter({ property, filter, onChange }) {
  const { tl } = useTranslation();
  const values = useValues(property);
  const value = filter[property.path];
  return <Choice property={property} where="filter" value={value} empty={tl('all')} values={values} onChange={onChange} />;
}

/** A filter by one property: by one of its values, or by a part of its text. */
export default function DefaultFilterProperty(props) {
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
