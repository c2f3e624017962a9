import React from 'react';
import { BasePropertyComponent, useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { actionAddress, fileLink, inOrder, useActionClick } from '../shared/actions.js';
import { useClosing } from '../shared/useClosing.js';

/** A column header; a click sorts by the column when it is sortable. */
export function SortHeader({ property, sortBy, direction }) {
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
function RowMenu({ record, resource, performed }) {
  const { ta, tb } = useTranslation();
  const click = useActionClick(resource.id, performed);
  const actions = inOrder(record.recordActions.filter(({ name, custom }) => name !== 'show' && custom?.menu !== false));
  const menu = useClosing();
  if (actions.length === 0) return null;
  return (
    <details ref={menu} className="gt-row-menu">
      <summary aria-label={tb('actionsFor', { title: record.title })}>
        <Icon icon="MoreHorizontal" size={18} />
      </summary>
      <ul>
        {actions.map((action) => {
          const address = actionAddress(action, resource.id, record.id);
          const file = fileLink(action, resource.id, record.id);
          const content = (
            <>
              <Icon icon={action.icon} size={16} /> {ta(action.label, resource.id)}
            </>
          );
          return (
            <li key={action.name} className={action.variant === 'danger' ? 'gt-danger' : undefined}>
              {file ? (
                <a {...file}>{content}</a>
              ) : address ? (
                <Link to={address}>{content}</Link>
              ) : (
                <button type="button" onClick={() => void click(action, record.id, record.title)}>
                  {content}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** One record of a list. A click anywhere in the row opens the record; the first cell holds the link for keyboard users. */
export function RecordRow({ record, resource, performed }) {
  const { tp } = useTranslation();
  const navigate = useNavigate();
  const action = ['show', 'edit'].map((name) => record.recordActions.find((candidate) => candidate.name === name)).find(Boolean);
  const address = action ? actionAddress(action, resource.id, record.id) : null;
  const open = (event) => {
    if (address && !event.target.closest('a, button, summary')) navigate(address);
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
