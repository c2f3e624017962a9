import { ApiClient, useNotice, useTranslation, ViewHelpers } from 'adminjs';
import { useNavigate } from 'react-router';
import { ask } from '../frame/confirm.js';
import { dayAndTime } from './times.js';

const helpers = new ViewHelpers();

/** Actions in the order of the menu: destructive ones last. */
export const inOrder = (actions) => actions.toSorted((a, b) => danger(a) - danger(b));

/** Those that matter most come first: primary ones, editing, the main ones of the resource; destructive ones last. */
export const byWeight = (actions) => inOrder(actions.toSorted((a, b) => weight(a) - weight(b)));

const weight = ({ name, variant, custom }) => (variant === 'primary' ? 0 : name === 'edit' ? 1 : custom?.main ? 2 : 3);

const danger = ({ name, variant }) => (name === 'delete' ? 2 : Number(variant === 'danger'));

/** The attributes of a link to an action's PDF; null when the action has none. */
export function fileLink(action, resourceId, recordId) {
  const open = action.custom?.file;
  if (!open) return null;
  const href = helpers.urlBuilder(['files', resourceId, encodeURIComponent(recordId), `${action.name}.pdf`]);
  return open === 'tab' ? { href, target: '_blank', rel: 'noopener' } : { href, download: true };
}

/** The URL of an action's page; null when the action has no page. */
export function actionAddress(action, resourceId, recordId) {
  if (action.component === false) return null;
  const params = { resourceId, recordId, actionName: action.name };
  return action.actionType === 'record' ? helpers.recordActionUrl(params) : helpers.resourceActionUrl(params);
}

/** The moment of a record, where titles alone do not tell records apart. */
export const momentOf = ({ params }, { custom }) => (custom?.at && params[custom.at] ? dayAndTime(params[custom.at]) : '');

/**
 * The click handler of an action: opens the action's page, or asks for confirmation and performs the action. Always sends POST, because
 * AdminJS's own client sends GET, which a page of another site can trigger.
 */
export function useActionClick(resourceId, performed) {
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
      question,
      subject: record && [record.title, momentOf(record, action)].filter(Boolean).join(' · '),
      yes,
      no: tb('cancel'),
      danger: danger(action) > 0,
    };
    if (question && !(await ask(dialog))) return;
    try {
      const request = { resourceId, recordId, actionName: action.name, data: {} };
      const { data } = await new ApiClient().recordAction(request);
      if (data.notice) notify(data.notice);
      if (data.redirectUrl) navigate(data.redirectUrl);
      else performed?.(data);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
  };
}
