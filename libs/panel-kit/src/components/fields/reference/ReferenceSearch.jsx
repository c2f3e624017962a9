import React, { useEffect, useState } from 'react';
import { ApiClient, useTranslation } from 'adminjs';
import { SelectAsync } from '@adminjs/design-system';
import { fieldIds } from '../../shared/Field.jsx';

const api = new ApiClient();

/** Loads the name of the chosen record, of which the form only has the identifier. */
function useChosen(resourceId, id) {
  const [chosen, setChosen] = useState(null);
  useEffect(() => {
    if (!id || chosen?.value === id) return undefined;
    let stale = false;
    api
      .recordAction({ resourceId, recordId: id, actionName: 'show' })
      .then(({ data }) => stale || setChosen({ value: id, label: data.record?.title || id }))
      .catch(() => stale || setChosen({ value: id, label: id }));
    return () => {
      stale = true;
    };
  }, [resourceId, id]);
  return [id ? chosen : null, setChosen];
}

/** A select field that searches another resource by name. */
export function ReferenceSearch({ property, where, value, error, onChange }) {
  const { tl, tm } = useTranslation();
  const { id, errorId } = fieldIds(property, where);
  const [chosen, setChosen] = useChosen(property.reference, value);
  const load = async (query) => {
    const records = await api.searchRecords({ resourceId: property.reference, query });
    return records.map((record) => ({ value: record.id, label: record.title || record.id }));
  };
  return (
    <SelectAsync
      inputId={id}
      value={chosen}
      isClearable
      cacheOptions
      defaultOptions
      isDisabled={property.isDisabled}
      loadOptions={load}
      placeholder={where === 'filter' ? tl('all') : tl('choose')}
      loadingMessage={() => tl('loading')}
      noOptionsMessage={() => tm('noRecords')}
      aria-invalid={error ? true : undefined}
      aria-errormessage={error ? errorId : undefined}
      onChange={(option) => {
        setChosen(option);
        onChange(property.path, option?.value ?? (where === 'filter' ? '' : null));
      }}
    />
  );
}
