import type { MouseEvent } from 'react';
import { BasePropertyComponent, useTranslation, type RecordJSON, type ResourceJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ActionMenu } from './ActionMenu.js';
import { actionAddress, inOrder } from '../shared/actions.js';
import type { BasePropertyJSON } from '../page/props.js';

/** A column header; a click sorts by the column when it is sortable. */
export function SortHeader({
  property,
  sortBy,
  direction,
}: {
  readonly property: BasePropertyJSON;
  readonly sortBy: string | undefined;
  readonly direction: string | undefined;
}) {
  const { tp } = useTranslation();
  const { search } = useLocation();
  const label = tp(property.label, property.resourceId);
  if (!property.isSortable) return <th scope="col">{label}</th>;
  const here = sortBy === property.propertyPath;
  const query = new URLSearchParams(search);
  query.set('sortBy', property.propertyPath);
  query.set('direction', here && direction === 'asc' ? 'desc' : 'asc');
  const order = direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" {...(here ? { 'aria-sort': order } : {})}>
      <Link to={{ search: query.toString() }}>
        {label}
        {here ? <Icon icon={direction === 'asc' ? 'ChevronUp' : 'ChevronDown'} size={14} /> : null}
      </Link>
    </th>
  );
}

/** The record's actions in a menu. */
interface Row {
  readonly record: RecordJSON;
  readonly resource: ResourceJSON;
  readonly performed: () => void;
}

function RowMenu({ record, resource, performed }: Row) {
  const { tb } = useTranslation();
  const actions = inOrder(record.recordActions.filter(({ name, custom }) => name !== 'show' && custom?.['menu'] !== false));
  if (actions.length === 0) return null;
  return (
    <ActionMenu actions={actions} resourceId={resource.id} record={record} performed={performed}>
      <summary aria-label={tb('actionsFor', { title: record.title })}>
        <Icon icon="MoreHorizontal" size={18} />
      </summary>
    </ActionMenu>
  );
}

/** One record of a list. A click anywhere in the row opens the record; the first cell holds the link for keyboard users. */
export function RecordRow({ record, resource, performed }: Row) {
  const { tp } = useTranslation();
  const navigate = useNavigate();
  const action = ['show', 'edit'].map((name) => record.recordActions.find((candidate) => candidate.name === name)).find(Boolean);
  const address = action ? actionAddress(action, resource.id, record.id) : null;
  const open = ({ target }: MouseEvent): void => {
    if (address && !(target as Element).closest('a, button, summary')) navigate(address);
  };
  return (
    <tr onClick={open} className={address ? 'gt-row gt-row-open' : 'gt-row'}>
      {resource.listProperties.map((property, index) => {
        const value = <BasePropertyComponent where="list" property={property} resource={resource} record={record} />;
        const label = tp(property.label, property.resourceId);
        if (index > 0) {
          return (
            <td key={property.propertyPath} data-label={label}>
              {value}
            </td>
          );
        }
        return (
          <th key={property.propertyPath} scope="row" data-label={label}>
            {address && property.type !== 'reference' ? <Link to={address}>{value}</Link> : value}
          </th>
        );
      })}
      <td className="gt-row-actions">
        <RowMenu record={record} resource={resource} performed={performed} />
      </td>
    </tr>
  );
}
