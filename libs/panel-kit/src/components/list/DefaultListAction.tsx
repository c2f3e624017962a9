import { useEffect } from 'react';
import { useQueryParams, useRecords, useTranslation, type ResourceJSON } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { actionAddress } from '../shared/actions.js';
import { ListSum } from './ListSum.js';
import { Pager } from './Pager.js';
import { RecordRow, SortHeader } from './RecordRow.js';

function Nothing({ resource, filtered }: { readonly resource: ResourceJSON; readonly filtered: boolean }) {
  const { ta, tm } = useTranslation();
  const named = (wanted: string) => resource.resourceActions.find(({ name }) => name === wanted);
  const create = named((named('new')?.custom?.['instead'] as string | undefined) ?? 'new');
  return (
    <div className="gt-nothing">
      <p>{filtered ? tm('noRecordsFiltered', resource.id) : tm('noRecordsInResource', resource.id)}</p>
      {create && !filtered ? (
        <Link className="gt-button" to={actionAddress(create, resource.id) ?? ''}>
          {ta(create.label, resource.id)}
        </Link>
      ) : null}
    </div>
  );
}

/** A list of records: a table on a wide screen, cards on a phone. */
export default function DefaultListAction({
  resource,
  setTag,
}: {
  readonly resource: ResourceJSON;
  readonly setTag?: (tag: string) => void;
}) {
  const { records, loading, direction, sortBy, page, total, fetchData, perPage } = useRecords(resource.id);
  const { storeParams, filters } = useQueryParams();
  const { tl } = useTranslation();
  const sums = resource.resourceActions.find(({ name }) => name === 'list')?.custom?.['sums'];
  // Before the first answer, the total is 0.
  useEffect(() => setTag?.(loading && total === 0 ? '' : String(total)), [loading, total]);
  if (records.length === 0) {
    return loading ? <Loader /> : <Nothing resource={resource} filtered={Object.keys(filters ?? {}).length > 0} />;
  }
  return (
    <div className="gt-list" aria-busy={loading}>
      {sums ? <ListSum resource={resource} records={records} /> : null}
      <table className="gt-table">
        <caption className="gt-unseen">{tl(resource.name, resource.id)}</caption>
        <thead>
          <tr>
            {resource.listProperties.map((property) => (
              <SortHeader key={property.propertyPath} property={property} sortBy={sortBy} direction={direction} />
            ))}
            <th scope="col">
              <span className="gt-unseen">{tl('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <RecordRow key={record.id} record={record} resource={resource} performed={() => void fetchData()} />
          ))}
        </tbody>
      </table>
      <Pager page={page} perPage={perPage} total={total} onChange={(next) => storeParams({ page: String(next) })} />
    </div>
  );
}
