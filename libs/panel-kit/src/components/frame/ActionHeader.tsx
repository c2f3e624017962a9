import { useSyncExternalStore } from 'react';
import { useFilterDrawer, useTranslation, type ActionJSON, type ActionResponse, type RecordJSON } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ExportMenu } from '../list/ExportMenu.js';
import { ActionMenu } from '../list/ActionMenu.js';
import { actionAddress, byWeight, fileLink, momentOf, recordAddress, useActionClick } from '../shared/actions.js';
import { useUnsaved } from '../forms/useUnsaved.js';
import { guichet } from '../page/guichet.js';
import { useRootPath } from '../page/props.js';
import type { ResourcePage } from '../page/view.js';

const KINDS: Partial<Record<string, string>> = { primary: 'gt-button', danger: 'gt-button gt-button-danger-quiet' };

/** Actions of a record that are buttons, on a wide screen and on a phone; the others stand in a menu. */
const [BUTTONS, BUTTONS_ON_PHONES] = [4, 2];
const phone = window.matchMedia('(max-width: 768px)');

const usePhone = () =>
  useSyncExternalStore(
    (changed: () => void) => {
      phone.addEventListener('change', changed);
      return () => phone.removeEventListener('change', changed);
    },
    () => phone.matches,
  );

/** Where actions are performed, and who is told. */
interface Performing {
  readonly resourceId: string;
  readonly performed: (answer: ActionResponse) => void;
}

/**
 * The actions of a record: the few that matter most as buttons, the others in a menu. Beside its form, those that change more of it are
 * buttons; on the pages of other actions, none is.
 */
function RecordActions({
  record,
  resourceId,
  shown,
  performed,
}: Performing & {
  readonly record: RecordJSON;
  /** The action whose page it is. */
  readonly shown: string;
}) {
  const { tb } = useTranslation();
  const isPhone = usePhone();
  const isForm = shown === 'edit';
  const belongs = ({ custom }: ActionJSON): boolean => isForm && custom?.['inForm'] === true;
  const offered = record.recordActions.filter((action) => action.name !== shown && (action.custom?.['menu'] !== false || belongs(action)));
  const actions = isForm ? [...offered.filter(belongs), ...byWeight(offered.filter((action) => !belongs(action)))] : byWeight(offered);
  const most = isForm ? actions.filter(belongs).length : shown === 'show' ? (isPhone ? BUTTONS_ON_PHONES : BUTTONS) : 0;
  // A menu with one action is no shorter than that action.
  const count = actions.length <= most + 1 ? actions.length : most;
  const others = actions.slice(count);
  return (
    <>
      <ActionButtons actions={actions.slice(0, count)} resourceId={resourceId} record={record} performed={performed} />
      {others.length > 0 ? (
        <ActionMenu actions={others} resourceId={resourceId} record={record} performed={performed} className="gt-export">
          <summary className="gt-button gt-button-quiet" aria-label={`${tb('more')} · ${record.title}`}>
            <Icon icon="MoreHorizontal" size={16} /> {tb('more')}
          </summary>
        </ActionMenu>
      ) : null}
    </>
  );
}

function ActionButtons({
  actions,
  resourceId,
  record,
  performed,
}: Performing & { readonly actions: readonly ActionJSON[]; readonly record?: RecordJSON }) {
  const { ta } = useTranslation();
  const click = useActionClick(resourceId, performed);
  const { search } = useLocation();
  const buttons = actions.map((action) => {
    const className = KINDS[action.variant ?? ''] ?? 'gt-button gt-button-quiet';
    const plain = actionAddress(action, resourceId, record?.id);
    const address = plain && action.custom?.['keepsFilter'] ? `${plain}${search}` : plain;
    const content = (
      <>
        <Icon icon={action.icon} size={16} /> {ta(action.label, resourceId)}
      </>
    );
    const file = fileLink(action, resourceId, record?.id);
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
      <button key={action.name} type="button" className={className} onClick={() => void click(action, record)}>
        {content}
      </button>
    );
  });
  return <>{buttons}</>;
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
export default function ActionHeader({
  resource,
  record,
  action,
  tag,
  actionPerformed,
  omitActions,
  toggleFilter,
}: ResourcePage & {
  readonly record?: RecordJSON;
  readonly tag?: string;
  readonly actionPerformed?: (answer: ActionResponse) => void;
  readonly omitActions?: boolean;
  readonly toggleFilter?: unknown;
}) {
  const { ta, tl } = useTranslation();
  const rootPath = useRootPath();
  const navigate = useNavigate();
  useUnsaved();
  if (action.hideActionHeader) return null;
  const performed = (answer: ActionResponse): void => {
    // The action may have made this page inaccessible, as archiving a device does with its pairing code.
    const { recordActions = [] }: Partial<RecordJSON> = answer['record'] ?? {};
    const open = !record || recordActions.some(({ name }) => name === action.name);
    if (open) actionPerformed?.(answer);
    else navigate(recordAddress(resource.id, record.id));
  };
  const plural = tl(resource.name, resource.id);
  const isList = action.name === 'list';
  const title = isList ? plural : record?.title || ta(action.label, resource.id);
  const moment = record && momentOf(record, action);
  const pages = resource.resourceActions.filter(
    ({ name, custom }) => ((name === 'new' && !custom?.['instead']) || custom?.['page']) && name !== action.name,
  );
  const show = record?.recordActions.find(({ name }) => name === 'show');
  const under = action.custom?.['under'] as string | undefined;
  return (
    <header className="gt-header">
      {isList ? null : (
        <nav className="gt-crumbs" aria-label={tl('path')}>
          <Link to={rootPath}>{tl('dashboard')}</Link>
          {under === undefined ? (
            <Link to={resource.href ?? ''}>{plural}</Link>
          ) : (
            <Link to={`${rootPath}/resources/${under}`}>{tl(under, under)}</Link>
          )}
          {record && show && action.name !== 'show' ? <Link to={recordAddress(resource.id, record.id)}>{record.title}</Link> : null}
          {action.name === 'show' ? null : <span>{ta(action.label, resource.id)}</span>}
        </nav>
      )}
      <div className="gt-header-line">
        <h1>
          {title} {moment ? <small>{moment}</small> : null}
          {isList && tag ? <span className="gt-count">{tag}</span> : null}
        </h1>
        {omitActions ? null : (
          <div className="gt-header-actions">
            {record ? (
              <RecordActions record={record} resourceId={resource.id} shown={action.name} performed={performed} />
            ) : (
              <ActionButtons actions={pages} resourceId={resource.id} performed={performed} />
            )}
            {isList && action.custom?.['exports'] && !guichet.support ? (
              <ExportMenu resource={resource} prints={action.custom['prints'] as string | undefined} />
            ) : null}
            {toggleFilter ? <FilterButton /> : null}
          </div>
        )}
      </div>
    </header>
  );
}
