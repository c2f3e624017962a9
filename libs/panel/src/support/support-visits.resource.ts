import { currentTenant, SupportAct, SupportVisit, TenantDb } from '#tenancy';
import type { PanelEntry, PanelKind, PanelSort, PanelSource, ResourceProvider, PanelValue } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  PanelResource,
  PanelResources,
  panelWords,
  entityReader,
  readerOfEachNode,
  recordHref,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
} from '#panel-kit';
import { actWords, supportWords, visitStates } from './support-visits.words.js';

/** Maximum number of shown acts per visit. */
const mostActs = 500;

/**
 * Support visits: a tenant sees those to its own panel, the server's panel shows all. Visits that were requested but not begun are only in
 * the tenant's record of changes.
 */
@PanelResource({ panels: ['tenant', 'root'], position: 195 })
export class SupportVisitsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly resources: PanelResources,
  ) {}

  entry(panel: PanelKind): PanelEntry {
    const { db, resources } = this;
    const declared = declareProperties(
      {
        operator: { isTitle: true, list: true, filter: true },
        tenantId: panel === 'root' ? { reference: 'tenants', list: true, show: true, filter: true } : { hidden: true },
        reason: { list: true, show: true, filter: true },
        state: {
          availableValues: Object.keys(visitStates),
          tones: { running: 'waiting', left: 'quiet', over: 'quiet' },
          list: true,
          show: true,
          filter: true,
          sql: `case when visit.left_at is not null then 'left' when visit.ends_at <= now() then 'over' else 'running' end`,
        },
        enteredAt: { list: true, show: true, filter: true },
        endsAt: { show: true },
        leftAt: { show: true },
        changes: {
          type: 'number',
          list: true,
          filter: false,
          sql: `(select count(*)::int from shared.support_act act where act.visit_id = visit.id and act.kind = 'changed')`,
        },
        acts: { ...relatedProperty('acts'), show: true },
        id: { show: true },
      },
      { entity: SupportVisit, alias: 'visit' },
    );
    const newest: PanelSort = { by: 'enteredAt', direction: 'desc' };
    const ofNode = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      where: `visit.entered_at is not null${panel === 'tenant' ? ' and visit.tenant_id = :tenantId' : ''}`,
      parameters: () => (panel === 'tenant' ? { tenantId: currentTenant().id } : {}),
      sort: newest,
    });
    // A visit is on the server of its tenant.
    const onEach = async <Result>(work: () => Promise<Result>): Promise<Result[]> =>
      panel === 'root' ? db.onEachNode(work) : [await work()];
    const reader = readerOfEachNode(ofNode, newest, onEach, (work) => db.shared(work));
    const actsOf = async (visitId: string): Promise<PanelValue> => {
      const { language } = currentPanelRequest();
      const first = { where: { visitId }, order: { at: 'ASC', id: 'ASC' }, take: mostActs } as const;
      const acts = (await onEach(() => db.shared((tx) => tx.find(SupportAct, first)))).flat();
      const words = actWords[language];
      const known = new Map(resources.entries('tenant').map((entry) => [entry.source.id, entry.words[language]]));
      return related(
        acts.map(({ at, kind, resource, record, action, fields }) => {
          const names = known.get(resource);
          const labels: Readonly<Record<string, string>> = { ...panelWords(language).actions, ...names?.actions };
          const own = words.other as Readonly<Record<string, string>>;
          const what = resource === '' ? (own[action] ?? action) : (names?.plural ?? resource);
          const how = resource === '' ? undefined : (labels[action] ?? own[action] ?? action);
          const sent = fields.map((name) => names?.properties?.[name] ?? name).join(', ');
          return {
            title: [what, how].filter(Boolean).join(' – '),
            at: at.toISOString(),
            details: [record, sent && `${words.fields} ${sent}`].filter(Boolean).join(' · '),
            badge: { text: words[kind], tone: kind === 'changed' ? ('waiting' as const) : ('quiet' as const) },
            ...(panel === 'tenant' && record !== '' && action !== 'delete' && { href: recordHref(resource, record) }),
          };
        }),
      );
    };
    const source: PanelSource = {
      id: 'support-visits',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, acts: await actsOf(id) };
      },
    };
    return {
      source,
      group: panel === 'root' ? 'server' : 'settings',
      icon: 'LifeBuoy',
      rare: true,
      ...declared.places,
      sort: newest,
      words: inEachLanguage((language) => ({ ...supportWords[language], values: { state: labels(visitStates, language) } })),
    };
  }
}
