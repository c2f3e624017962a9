import { useEffect } from 'react';

/**
 * Puts what a new record's field starts with into the form, unless something stands there (an address may fill it in). AdminJS replaces all
 * values by those of the address after the first drawing: then it is done again.
 */
export function useInitial(property, record, onChange) {
  const initial = property.custom?.initial;
  const { params } = record;
  const value = params?.[property.path];
  useEffect(() => {
    if (initial !== undefined && value === undefined && !record.id) onChange(property.path, initial);
  }, [initial, value, params, record.id]);
}
