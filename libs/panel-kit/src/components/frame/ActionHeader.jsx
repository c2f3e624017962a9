import React from 'react';
import { useFilterDrawer, useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ExportMenu } from '../list/ExportMenu.jsx';
import { actionAddress, fileLink, inOrder, useActionClick } from '../shared/actions.js';

const KINDS = { primary: 'gt-button', danger: 'gt-button gt-button-danger-quiet' };

function ActionButtons({ actions, resourceId, recordId, subject, performed }) {
  const { ta } = useTranslation();
  const click = useActionClick(resourceId, performed);
  const { search } = useLocation();
  return actions.map((action) => {
    const className = KINDS[action.variant] ?? 'gt-button gt-button-quiet';
    const plain = actionAddress(action, resourceId, recordId);
    const address = plain && action.custom?.keepsFilter ? `${plain}${search}` : plain;
    const content = (
      <>
        <Icon icon={action.icon} size={16} /> {ta(action.label, resourceId)}
      </>
    );
    const file = fileLink(action, resourceId, recordId);
    if (file) {
      return (
        <a key={action.name} className={className} {...file}>
          {content}
        </a>
      );
    }
    return address ? (
      <Link key={action.name} to={address} className={className}>
        {content}
      </Link>
    ) : (
      <button key={action.name} type="button" className={className} onClick={() => void click(action, recordId, subject)}>
        {content}
      </button>
    );
  });
}

function FilterButton() {
  const { tb } = useTranslation();
  const { toggleFilter, filtersCount, isVisible } = useFilterDrawer();
  return (
    <button type="button" className="gt-button gt-button-quiet" aria-expanded={isVisible} onClick={toggleFilter}>
      <Icon icon="Filter" size={16} /> {filtersCount > 0 ? tb('filterActive', { count: filtersCount }) : tb('filter')}
    </button>
  );
}

/** The page header: breadcrumbs, title and action buttons. */
export default function ActionHeader({ resource, record, action, tag, actionPerformed, omitActions, toggleFilter }) {
  const { ta, tl } = useTranslation();
  const rootPath = useSelector((state) => state.paths.rootPath);
  const navigate = useNavigate();
  if (action.hideActionHeader) return null;
  const performed = (answer) => {
    // The action may have made this page inaccessible, as archiving a device does with its pairing code.
    const open = !record || answer.record?.recordActions.some(({ name }) => name === action.name);
    if (open) actionPerformed?.(answer);
    else navigate(actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id));
  };
  const plural = tl(resource.name, resource.id);
  const isList = action.name === 'list';
  const title = isList ? plural : record?.title || ta(action.label, resource.id);
  const actions = record
    ? inOrder(record.recordActions.filter(({ name, custom }) => name !== action.name && custom?.menu !== false))
    : resource.resourceActions.filter(({ name, custom }) => ((name === 'new' && !custom?.instead) || custom?.page) && name !== action.name);
  return (
    <header className="gt-header">
      {isList ? null : (
        <nav className="gt-crumbs" aria-label={tl('path')}>
          <Link to={rootPath}>{tl('dashboard')}</Link>
          <Link to={resource.href}>{plural}</Link>
          {action.name === 'show' ? null : <span>{ta(action.label, resource.id)}</span>}
        </nav>
      )}
      <div className="gt-header-line">
        <h1>
          {title}
          {isList && tag ? <span className="gt-count">{tag}</span> : null}
        </h1>
        {omitActions ? null : (
          <div className="gt-header-actions">
            <ActionButtons actions={actions} resourceId={resource.id} recordId={record?.id} subject={record?.title} performed={performed} />
            {isList && action.custom?.exports && !window.GUICHET.support ? (
              <ExportMenu resource={resource} prints={action.custom.prints} />
            ) : null}
            {toggleFilter ? <FilterButton /> : null}
          </div>
        )}
      </div>
    </header>
  );
}
