import { useEffect } from 'react';

/** Puts what a new record's field starts with into the form, unless something stands there (an address may fill it in). */
export function useInitial(property, record, onChange) {
  const initial = property.custom?.initial;
  const value = record.params?.[property.path];
  useEffect(() => {
    if (initial !== undefined && value === undefined && !record.id) onChange(property.path, initial);
  }, [initial, value, record.id]);
}
