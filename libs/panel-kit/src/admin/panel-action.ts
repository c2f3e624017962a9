import { flat, NotFoundError, populator, ValidationError } from 'adminjs';
import type { Action, ActionContext, ActionRequest, BaseRecord, RecordActionResponse } from 'adminjs';
import type { PanelAction, PanelEntry, PanelOutcome } from '../resource/panel-entry.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { PanelFieldError } from '../resource/panel-source.js';
import type { PanelRow, PanelView } from '../resource/panel-source.js';
import { currentGrant, mayPerform, mayPerformOn } from '../rights/may.js';
import { closedToSupport } from './support-limits.js';

/** Whether the signed-in user may perform an action on this resource. */
export const allowed = (entry: PanelEntry, action: string): boolean =>
  !(currentPanelRequest().readOnly && changes(entry, action)) &&
  !closedToSupport(entry, action, changes(entry, action)) &&
  mayPerform(entry, action, currentGrant()) &&
  (entry.allows?.(action, currentPanelRequest().user) ?? true);

/** Whether an action changes data. */
function changes({ actions, pages }: PanelEntry, action: string): boolean {
  if (['new', 'edit', 'delete', 'bulkDelete'].includes(action)) return true;
  return actions?.[action]?.act !== undefined || pages?.[action]?.act !== undefined;
}

/** Opens the saved record after a form; AdminJS would open the list. */
function openSavedRecord(entry: PanelEntry, next: string | ((id: string) => string)) {
  return (answer: RecordActionResponse): RecordActionResponse => {
    const { id, errors } = answer.record ?? {};
    if (!answer.redirectUrl || !id || Object.keys(errors ?? {}).length > 0) return answer;
    const action = typeof next === 'string' ? next : next(id);
    const path = `${PANEL_PATH}/resources/${entry.source.id}/records/${encodeURIComponent(id)}/${action}`;
    return { ...answer, redirectUrl: path };
  };
}

/** Says after a change what else it does. */
function sayWhatElse({ saved, source }: PanelEntry) {
  return (answer: RecordActionResponse): RecordActionResponse => {
    const said = answer.redirectUrl ? saved?.(answer.record?.params ?? {}) : undefined;
    return said ? { ...answer, notice: { ...said, type: 'success', resourceId: source.id } } : answer;
  };
}

/** Removes passwords from the answer; AdminJS would send them back with the form. */
function withoutPasswords(entry: PanelEntry) {
  const names = entry.source.properties.filter(({ type }) => type === 'password').map(({ name }) => name);
  return (answer: RecordActionResponse): RecordActionResponse => {
    for (const name of names) delete answer.record?.params[name];
    return answer;
  };
}

/** Checks what AdminJS takes for granted about requests: `new` accepts POST only, and a single value of a list property becomes a list. */
function checkRequest(entry: PanelEntry, action: 'new' | 'edit') {
  const lists = entry.source.properties.filter(({ isArray }) => isArray).map(({ name }) => name);
  return (request: ActionRequest): ActionRequest => {
    if (action === 'new' && request.method !== 'post') throw new NotFoundError('Records are made with POST', action);
    let payload = request.payload ?? {};
    for (const name of lists) {
      const value: unknown = flat.get(payload, name);
      if (value === undefined || value === null || Array.isArray(value)) continue;
      payload = flat.set(payload, name, [value]);
    }
    return { ...request, payload };
  };
}

/** AdminJS's own actions, enabled according to the source's methods and the user's permissions. */
export function ownActions(entry: PanelEntry): Record<string, Partial<Action<RecordActionResponse>>> {
  const { source } = entry;
  const may = (action: string, possible = true, fits: PanelEntry['editable'] = () => true) => {
    const offered = ({ record }: ActionContext): boolean => possible && allowed(entry, action) && (!record || fits(record.params));
    return { isAccessible: offered, isVisible: offered };
  };
  type After = (answer: RecordActionResponse) => RecordActionResponse;
  const form = (action: 'new' | 'edit', next: string | ((id: string) => string), ...more: After[]) => ({
    before: [checkRequest(entry, action)],
    after: [openSavedRecord(entry, next), withoutPasswords(entry), ...more],
  });
  return {
    list: {
      ...may('list'),
      showFilter: (entry.filter ?? entry.list).length > 0,
      custom: {
        exports: entry.exports !== undefined,
        prints: entry.prints && (entry.prints.label ?? 'pdf'),
        sums: source.sum !== undefined,
        rare: entry.rare === true,
      },
    },
    search: { isAccessible: () => allowed(entry, 'list') },
    show: { ...may('show'), custom: atOf(entry) },
    new: {
      ...may('new', source.create !== undefined),
      ...form('new', entry.afterNew ?? 'show'),
      ...(entry.newPage && { custom: { instead: entry.newPage } }),
    },
    edit: {
      ...may('edit', source.update !== undefined, entry.editable),
      ...form('edit', 'show', sayWhatElse(entry)),
      ...changing(entry),
      custom: atOf(entry),
    },
    delete: { ...may('delete', source.remove !== undefined, entry.removable), custom: atOf(entry) },
    bulkDelete: { isAccessible: false, isVisible: false },
  };
}

/** The column that headings and questions of a record show beside its title, for the components. */
const atOf = ({ at }: PanelEntry) => (at === undefined ? {} : { at });

/** Without the fields that only new records have. */
function changing({ edit, onlyNew }: PanelEntry): Pick<Action<RecordActionResponse>, 'layout'> | undefined {
  return onlyNew && edit && { layout: edit.filter((name) => !onlyNew.includes(name)) };
}

type ActionAnswer = RecordActionResponse & { view?: PanelView };

/** The record's state after the action. */
async function reloaded(context: ActionContext, record: BaseRecord): Promise<BaseRecord> {
  const found = (await context.resource.findOne(record.id(), context)) ?? record;
  const [populated] = await populator([found], context);
  return populated ?? found;
}

/** The notice of an outcome, with the numbers of its message. */
export const noticeOf = (message: string, { options }: Pick<PanelOutcome, 'options'>) => ({
  message,
  type: 'success' as const,
  ...(options && { options }),
});

async function act(action: PanelAction, request: ActionRequest, context: ActionContext): Promise<ActionAnswer> {
  const record = context.record!;
  const id = record.id();
  try {
    const outcome = await action.act!(id, (request.payload ?? {}) as PanelRow);
    const after = await reloaded(context, record);
    return {
      record: after.toJSON(context.currentAdmin),
      view: outcome.view ?? (await action.view?.(id)) ?? null,
      ...(outcome.message && {
        notice: { ...noticeOf(outcome.message, outcome), resourceId: context.resource.id() },
      }),
      ...(outcome.redirect && { redirectUrl: outcome.redirect }),
    };
  } catch (error) {
    if (!(error instanceof PanelFieldError)) throw error;
    throw new ValidationError(error.fields, {
      message: error.summary ?? Object.values(error.fields)[0]?.message ?? '',
    });
  }
}

/** Converts a {@link PanelAction} to an AdminJS action: GET returns the view, POST performs the action. */
export function toAdminAction(entry: PanelEntry, name: string, action: PanelAction): Action<ActionAnswer> {
  const offered = (context: ActionContext): boolean =>
    allowed(entry, name) &&
    (!context.record ||
      ((!action.visible || action.visible(context.record.params)) && mayPerformOn(entry, name, context.record.params, currentGrant())));
  return {
    name,
    actionType: 'record',
    icon: action.icon,
    component: action.component ?? false,
    variant: action.variant ?? 'default',
    ...(action.guard && { guard: action.guard }),
    custom: {
      acts: action.act !== undefined,
      menu: action.menu !== false,
      main: action.main === true,
      inForm: action.inForm === true,
      ...atOf(entry),
      ...(action.file && { file: action.file.open }),
    },
    isVisible: offered,
    isAccessible: offered,
    handler: async (request, _response, context) => {
      const { record } = context;
      if (!record) throw new NotFoundError('This is done to a record', name);
      if (request.method === 'post' && action.act) return act(action, request, context);
      return {
        record: record.toJSON(context.currentAdmin),
        view: (await action.view?.(record.id(), request.query)) ?? null,
      };
    },
  };
}
