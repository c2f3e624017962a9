import { languageNames, languages, type Language } from '#kernel';
import { categories, mayAct, Tenant } from '#tenancy';
import type { LifeAct, TenantDb, TenantState } from '#tenancy';
import { formAction, currentPanelRequest, PanelFieldError, textOf } from '#panel-kit';
import type { FormField, FormView, PanelAction, PanelRow } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { enterWords } from '../support/support-visits.words.js';
import { quotasAction } from './tenant-quotas.js';
import type { TenantServices } from './tenants.services.js';
import { lifeWords } from './tenants.words.js';

type Act = (id: string, values: { reason: string; confirmation: string }) => Promise<void>;

const icons: Readonly<Record<LifeAct, string>> = {
  suspend: 'PauseCircle',
  resume: 'PlayCircle',
  archive: 'Archive',
  restore: 'RotateCcw',
  delete: 'Trash2',
};

/** The actions on one tenant. Each shows a form that explains the consequences. */
export function tenantActions(
  db: TenantDb,
  { life, visits, quotas }: Pick<TenantServices, 'life' | 'visits' | 'quotas'>,
  deleteDays: number,
): Record<string, PanelAction> {
  const find = async (id: string): Promise<Tenant> => {
    const tenant = await db.shared((tx) => tx.findOneBy(Tenant, { id }));
    if (!tenant) throw new PanelFieldError({}, 'error404Record');
    return tenant;
  };
  const act = (name: LifeAct, work: Act): PanelAction =>
    formAction({
      icon: icons[name],
      ...((name === 'delete' || name === 'suspend') && { variant: 'danger' as const }),
      visible: (row) => row['category'] !== 'R' && mayAct(name, (row['state'] ?? 'active') as TenantState),
      form: async (id) => formOf(name, await find(id), deleteDays),
      act: async (id, { reason, confirmation }) => {
        await refusable(() => work(id, { reason: textOf(reason), confirmation: textOf(confirmation) }));
        return { message: `${name}Done` };
      },
    });
  return {
    change: formAction({
      icon: 'Edit',
      variant: 'primary',
      form: async (id) => changeForm(await find(id)),
      act: async (id, values) => {
        await refusable(() => life.edit(id, editOf(values)));
        return { message: 'changed' };
      },
    }),
    quotas: quotasAction(quotas, find),
    enter: formAction({
      icon: 'LifeBuoy',
      visible: (row) => row['category'] !== 'R' && row['state'] !== 'deleting',
      form: async (id) => enterForm(await find(id)),
      act: async (id, { reason }) => {
        const { user } = currentPanelRequest();
        if (!user) throw new PanelFieldError({}, 'error404Record');
        return { redirect: await refusable(() => visits.begin(id, user, textOf(reason))) };
      },
    }),
    suspend: act('suspend', (id, { reason }) => life.suspend(id, reason)),
    resume: act('resume', (id, { reason }) => life.resume(id, reason)),
    archive: act('archive', (id, { reason }) => life.archive(id, reason)),
    restore: act('restore', (id, { reason }) => life.restore(id, reason)),
    remove: act('delete', (id, { reason, confirmation }) => life.delete(id, confirmation, reason)),
  };
}

function editOf(values: PanelRow) {
  const typed = (name: string): string | undefined => (values[name] === undefined ? undefined : textOf(values[name]));
  return {
    name: typed('name'),
    language: typed('language') as Language | undefined,
    timeZone: typed('timeZone'),
    category: typed('category'),
  };
}

function changeForm({ name, language, timeZone, category }: Tenant) {
  const userLanguage = currentPanelRequest().language;
  const words = lifeWords[userLanguage];
  const codes = Object.keys(categories).filter((code) => (category === 'R' ? code === 'R' : code !== 'R'));
  const fields: FormField[] = [
    { name: 'name', kind: 'text', label: words.name, value: name, required: true, longest: 200 },
    {
      name: 'language',
      kind: 'select',
      label: words.language,
      value: language,
      required: true,
      options: languages.map((code) => ({ value: code, label: languageNames(userLanguage)[code] })),
    },
    { name: 'timeZone', kind: 'text', label: words.timeZone, value: timeZone, required: true, longest: 100, help: words.timeZoneHelp },
    {
      name: 'category',
      kind: 'select',
      label: words.category,
      value: category,
      required: true,
      help: words.categoryHelp,
      options: codes.map((code) => ({ value: code, label: categories[code as 'S'].label[userLanguage] })),
    },
  ];
  return { lead: [words.changeLead], fields, submit: words.save };
}

function enterForm({ name }: Tenant): FormView {
  const words = enterWords[currentPanelRequest().language];
  return {
    lead: [words.lead(name)],
    facts: [...words.facts],
    fields: [{ name: 'reason', kind: 'textarea', label: words.reason, help: words.reasonHelp, longest: 500, required: true }],
    submit: words.submit,
  };
}

function formOf(act: LifeAct, { slug, name, stateReason }: Tenant, deleteDays: number) {
  const words = lifeWords[currentPanelRequest().language];
  const { lead, facts, submit } = words.acts[act](name, deleteDays);
  const fields: FormField[] = [
    {
      name: 'reason',
      kind: 'textarea',
      label: words.reason,
      help: act === 'suspend' || act === 'archive' ? words.reasonShown : words.reasonKept,
      longest: 500,
      required: act === 'suspend',
      ...(act === 'suspend' && stateReason && { value: stateReason }),
    },
    ...(act === 'delete'
      ? [{ name: 'confirmation', kind: 'text' as const, label: words.confirmation(slug), required: true, longest: 63 }]
      : []),
  ];
  return { lead: [lead], facts, fields, submit, danger: act === 'delete' || act === 'suspend' };
}
