import { ApiClient, useNotice, useTranslation, ViewHelpers, type ActionJSON, type ActionResponse, type RecordJSON } from 'adminjs';
import { useNavigate } from 'react-router';
import { ask } from '../page/confirm.js';
import { dayAndTime } from './times.js';

const helpers = new ViewHelpers();

/** Actions in the order of the menu: destructive ones last. */
export const inOrder = (actions: readonly ActionJSON[]): ActionJSON[] => actions.toSorted((a, b) => danger(a) - danger(b));

/** Those that matter most come first: primary ones, editing, the main ones of the resource; destructive ones last. */
export const byWeight = (actions: readonly ActionJSON[]): ActionJSON[] => inOrder(actions.toSorted((a, b) => weight(a) - weight(b)));

const weight = ({ name, variant, custom }: ActionJSON): number =>
  variant === 'primary' ? 0 : name === 'edit' ? 1 : custom?.['main'] ? 2 : 3;

const danger = ({ name, variant }: ActionJSON): number => (name === 'delete' ? 2 : Number(variant === 'danger'));

/** The attributes of a link to an action's PDF; null when the action has none. */
export function fileLink(action: ActionJSON, resourceId: string, recordId?: string) {
  const open = action.custom?.['file'];
  if (!open || recordId === undefined) return null;
  const href = helpers.urlBuilder(['files', resourceId, encodeURIComponent(recordId), `${action.name}.pdf`]);
  return open === 'tab' ? { href, target: '_blank', rel: 'noopener' } : { href, download: true };
}

type Addressed = Pick<ActionJSON, 'name' | 'actionType' | 'component'>;

/** The URL of an action's page; null when the action has no page. */
export function actionAddress(action: Addressed, resourceId: string, recordId?: string): string | null {
  if (action.component === false) return null;
  const params = { resourceId, actionName: action.name };
  return action.actionType === 'record' && recordId !== undefined
    ? helpers.recordActionUrl({ ...params, recordId })
    : helpers.resourceActionUrl(params);
}

/** The URL of an action's page on one record; of the record's own page by default. */
export const recordAddress = (resourceId: string, recordId: string, actionName = 'show'): string =>
  helpers.recordActionUrl({ resourceId, recordId, actionName });

/** The moment of a record, where titles alone do not tell records apart. */
export function momentOf({ params }: RecordJSON, { custom }: ActionJSON): string {
  const at = custom?.['at'] as string | undefined;
  return at !== undefined && params[at] ? dayAndTime(params[at] as string) : '';
}

/**
 * The click handler of an action: opens the action's page, or asks for confirmation and performs the action. Always sends POST, because
 * AdminJS's own client sends GET, which a page of another site can trigger.
 */
export function useActionClick(
  resourceId: string,
  performed?: (answer: ActionResponse) => void,
): (action: ActionJSON, record?: RecordJSON) => Promise<void> {
  const navigate = useNavigate();
  const notify = useNotice();
  const { ta, tb, tm } = useTranslation();
  return async (action, record) => {
    const recordId = record?.id;
    const address = actionAddress(action, resourceId, recordId);
    if (address) {
      navigate(address);
      return;
    }
    const question = action.guard ? tm(action.guard, resourceId) : null;
    const yes = ta(action.label, resourceId);
    const dialog = {
      ...(record && { subject: [record.title, momentOf(record, action)].filter(Boolean).join(' · ') }),
      yes,
      no: tb('cancel'),
      danger: danger(action) > 0,
    };
    if (question !== null && !(await ask({ ...dialog, question }))) return;
    try {
      const request = { resourceId, actionName: action.name, data: {} };
      const api = new ApiClient();
      const { data } = await (recordId === undefined ? api.resourceAction(request) : api.recordAction({ ...request, recordId }));
      if (data.notice) notify(data.notice);
      if (data.redirectUrl) navigate(data.redirectUrl);
      else performed?.(data);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
  };
}
