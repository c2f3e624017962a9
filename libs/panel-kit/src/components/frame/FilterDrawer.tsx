import { useEffect, useRef, useState, type FormEvent } from 'react';
import { BasePropertyComponent, useFilterDrawer, useQueryParams, useTranslation, type ResourceJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';

type Filter = Readonly<Record<string, string | undefined>>;

const filled = (filter: Filter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== ''));

/** The form with the filters of a list. */
export default function FilterDrawer({ resource }: { readonly resource: ResourceJSON }) {
  const { tb, tl } = useTranslation();
  const { isVisible, toggleFilter } = useFilterDrawer();
  const { storeParams, clearParams, filters } = useQueryParams();
  const [filter, setFilter] = useState<Filter>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => setFilter((filters ?? {}) as Filter), [filters, resource.id]);
  useEffect(() => {
    if (isVisible) form.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [isVisible]);
  if (!isVisible) return null;
  const apply = (event: FormEvent): void => {
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
          onChange={(name, value) => setFilter((before) => ({ ...before, [String(name)]: value as string | undefined }))}
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
