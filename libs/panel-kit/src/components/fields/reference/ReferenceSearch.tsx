import { useEffect, useState } from 'react';
import { ApiClient, useTranslation, type ErrorMessage, type PropertyJSON } from 'adminjs';
import { SelectAsync } from '@adminjs/design-system';
import { fieldIds, type Place } from '../../shared/Field.js';

const api = new ApiClient();

/** Loads the name of the chosen record, of which the form only has the identifier. */
interface Chosen {
  readonly value: string;
  readonly label: string;
}

function useChosen(resourceId: string, id: string | undefined): [Chosen | null, (chosen: Chosen | null) => void] {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  useEffect(() => {
    if (!id || chosen?.value === id) return undefined;
    let stale = false;
    void api
      .recordAction({ resourceId, recordId: id, actionName: 'show' })
      .then(({ data }) => data.record?.title || id)
      .catch(() => id)
      .then((label) => stale || setChosen({ value: id, label }));
    return () => {
      stale = true;
    };
  }, [resourceId, id]);
  return [id ? chosen : null, setChosen];
}

/** A select field that searches another resource by name. */
export function ReferenceSearch({
  property,
  where,
  value,
  error,
  onChange,
}: {
  readonly property: PropertyJSON;
  readonly where: Place;
  readonly value: string | undefined;
  readonly error?: ErrorMessage;
  readonly onChange: (name: string, value: string | null) => void;
}) {
  const resourceId = property.reference ?? '';
  const { tl, tm } = useTranslation();
  const { id, errorId } = fieldIds(property, where);
  const [chosen, setChosen] = useChosen(resourceId, value);
  const load = async (query: string): Promise<Chosen[]> => {
    const records = await api.searchRecords({ resourceId, query });
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
      onChange={(option: Chosen | null) => {
        setChosen(option);
        onChange(property.path, option?.value ?? (where === 'filter' ? '' : null));
      }}
    />
  );
}
