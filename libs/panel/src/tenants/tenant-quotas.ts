import {
  formAction,
  currentPanelRequest,
  related,
  textOf,
  type FormField,
  type PanelAction,
  type PanelRow,
  type PanelValue,
} from '#panel-kit';
import { quotaKinds, type GivenQuotas, type QuotasService, type QuotaState, type Tenant } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const quotaWords = texts.perLanguage('tenants.quotas', ({ words, t }) => ({
  ...words,
  of: (used: number, limit: number) => t('tenants.quotas.of', { used, limit }),
  free: (used: number) => t('tenants.quotas.free', { used }),
  lead: (name: string) => t('tenants.quotas.lead', { name }),
}));

/** The daily quotas of a tenant and their use today. */
export function quotasView(states: readonly QuotaState[]): PanelValue {
  const words = quotaWords[currentPanelRequest().language];
  return related(
    states.map(({ kind, used, limit, isOwn }) => ({
      title: words.labels[kind],
      details: limit === undefined ? words.free(used) : words.of(used, limit),
      ...(isOwn && { badge: { text: words.own, tone: 'quiet' as const } }),
    })),
  );
}

/** The form with which an operator gives a tenant quotas of its own. */
export function quotasAction(quotas: QuotasService, find: (id: string) => Promise<Tenant>): PanelAction {
  return formAction({
    icon: 'Sliders',
    visible: (row) => row['category'] !== 'R' && row['category'] !== 'M',
    form: async (id) => {
      const words = quotaWords[currentPanelRequest().language];
      const states = await quotas.of(id);
      const fields: FormField[] = states.map(({ kind, limit, isOwn }) => ({
        name: kind,
        kind: 'text',
        label: words.labels[kind],
        value: isOwn && limit !== undefined ? String(limit) : '',
        longest: 9,
      }));
      return { lead: [words.lead((await find(id)).name)], fields, submit: words.submit };
    },
    act: async (id, values) => {
      const tenant = await find(id);
      await refusable(() => quotas.change(tenant, quotasIn(values)));
      return { message: 'quotasDone' };
    },
  });
}

function quotasIn(values: PanelRow): GivenQuotas {
  const typed = (kind: string): number | null => {
    const text = textOf(values[kind]).trim();
    return text === '' ? null : Number(text);
  };
  return Object.fromEntries(quotaKinds.map((kind) => [kind, typed(kind)])) as Record<(typeof quotaKinds)[number], number | null>;
}
