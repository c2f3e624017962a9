import type { ReactNode } from 'react';
import { useTranslation, type ActionJSON, type ActionResponse, type RecordJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link } from 'react-router-dom';
import { actionAddress, fileLink, useActionClick } from '../shared/actions.js';
import { useClosing } from '../shared/useClosing.js';

/** A record's actions in a menu. The children are what opens it: a `summary`. */
export function ActionMenu({
  actions,
  resourceId,
  record,
  performed,
  className = '',
  children,
}: {
  readonly actions: readonly ActionJSON[];
  readonly resourceId: string;
  readonly record: RecordJSON;
  readonly performed: (answer: ActionResponse) => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { ta } = useTranslation();
  const click = useActionClick(resourceId, performed);
  const menu = useClosing();
  return (
    <details ref={menu} className={`gt-row-menu ${className}`}>
      {children}
      <ul>
        {actions.map((action) => {
          const address = actionAddress(action, resourceId, record.id);
          const file = fileLink(action, resourceId, record.id);
          const content = (
            <>
              <Icon icon={action.icon} size={16} /> {ta(action.label, resourceId)}
            </>
          );
          return (
            <li key={action.name} className={action.variant === 'danger' ? 'gt-danger' : undefined}>
              {file ? (
                <a {...file}>{content}</a>
              ) : address ? (
                <Link to={address}>{content}</Link>
              ) : (
                <button type="button" onClick={() => void click(action, record)}>
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
