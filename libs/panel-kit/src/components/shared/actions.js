import { ApiClient, useNotice, useTranslation, ViewHelpers } from 'adminjs';
import { useNavigate } from 'react-router';
import { ask } from '../frame/confirm.js';

const helpers = new ViewHelpers();

/** What leads somewhere first, what destroys last. */
export const inOrder = (actions) => actions.toSorted((a, b) => danger(a) - danger(b));

const danger = ({ name, variant }) => (name === 'delete' ? 2 : Number(variant === 'danger'));

/** The attributes of a link to the PDF of an action; null for one that has none. */
export function fileLink(action, resourceId, recordId) {
  const open = action.custom?.file;
  if (!open) return null;
  const href = helpers.urlBuilder(['files', resourceId, encodeURIComponent(recordId), `${action.name}.pdf`]);
  return open === 'tab' ? { href, target: '_blank', rel: 'noopener' } : { href, download: true };
}

/** Where an action's page is; null for one that acts at once. */
export function actionAddress(action, resourceId, recordId) {
  if (action.component === false) return null;
  const params = { resourceId, recordId, actionName: action.name };
  return action.actionType === 'record' ? helpers.recordActionUrl(params) : helpers.resourceActionUrl(params);
}

/**
 * What a click on an action does: it goes to the action's page, or asks and then acts. Acting is always a POST;
 * AdminJS itself would act on a GET, which any foreign page can cause.
 */
export function useActionClick(resourceId, performed) {
  const navigate = useNavigate();
  const notify = useNotice();
  const { ta, tb, tm } = useTranslation();
  return async (action, recordId, subject) => {
    const address = actionAddress(action, resourceId, recordId);
    if (address) {
      navigate(address);
      return;
    }
    const question = action.guard ? tm(action.guard, resourceId) : null;
    const yes = ta(action.label, resourceId);
    const dialog = { question, subject, yes, no: tb('cancel'), danger: danger(action) > 0 };
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
