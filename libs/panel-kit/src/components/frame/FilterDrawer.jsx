import React, { useEffect, useRef, useState } from 'react';
import { BasePropertyComponent, useFilterDrawer, useQueryParams, useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';

const filled = (filter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== ''));

/** The form with the filters of a list. */
export default function FilterDrawer({ resource }) {
  const { tb, tl } = useTranslation();
  const { isVisible, toggleFilter } = useFilterDrawer();
  const { storeParams, clearParams, filters } = useQueryParams();
  const [filter, setFilter] = useState({});
  const form = useRef(null);
  useEffect(() => setFilter(filters ?? {}), [filters, resource.id]);
  useEffect(() => {
    if (isVisible) form.current?.querySelector('input, select')?.focus();
  }, [isVisible]);
  if (!isVisible) return null;
  const apply = (event) => {
    event.preventDefault();
    storeParams({ filters: filled(filter), page: '1' });
    if (window.matchMedia('(max-width: 768px)').matches) toggleFilter();
  };
  const reset = () => {
    clearParams('filters');
    setFilter({});
  };
  return (
    <form ref={form} className="gt-filter" onSubmit={apply} aria-label={tl('filters')}>
      <div className="gt-filter-head">
        <h2>{tl('filters')}</h2>
        <button type="button" className="gt-icon-button" onClick={toggleFilter} aria-label={tb('close')}>
          <Icon icon="X" size={18} />
        </button>
      </div>
      {resource.filterProperties.map((property) => (
        <BasePropertyComponent
          key={property.propertyPath}
          where="filter"
          property={property}
          filter={filter}
          resource={resource}
          onChange={(name, value) => setFilter((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <div className="gt-filter-foot">
        <button type="button" className="gt-button gt-button-quiet" onClick={reset}>
          {tb('resetFilter', resource.id)}
        </button>
        <button type="submit" className="gt-button">
          {tb('applyChanges', resource.id)}
        </button>
      </div>
    </form>
  );
}
