import type { PropertyJSON, RecordJSON } from 'adminjs';
import { useEffect } from 'react';
import type { EditProps } from '../page/props.js';

/**
 * Sets a field of a new record to its initial value, unless it has a value already (from the query string, for example). Runs again after
 * the first render, because AdminJS then replaces all values with those of the query string.
 */
export function useInitial(property: PropertyJSON, record: RecordJSON, onChange: EditProps['onChange']): void {
  const initial = property.custom?.initial;
  const { params } = record;
  const value = params?.[property.path];
  useEffect(() => {
    if (initial !== undefined && value === undefined && !record.id) onChange(property.path, initial);
  }, [initial, value, params, record.id]);
}
