import { foldedColumnSql, languageNames, languages } from '#kernel';
import type { Language } from '#kernel';
import { categories, Domain, stateNames, Tenant, TenantAdministrator, tenantStates, unicodeHost, User, TenantDb } from '#tenancy';
import type { OpenedTenantsService } from '#places';
import type { CategoryCode, TenantHistoryService } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  searchProperty,
  entityReader,
  newHref,
  recordHref,
  related,
  relatedProperty,
  categoryLabels,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { quotasView } from './tenant-quotas.js';
import { tenantActions } from './tenants.actions.js';
import { TenantServices } from './tenants.services.js';
import { lifeWords, tenantWords } from './tenants.words.js';
import { texts } from '../locales/panel.texts.js';

const primary = texts.localized('tenants.primary');
const addDomain = texts.localized('tenants.addDomain');
const addAdministrator = texts.localized('tenants.addAdministrator');

/** The tenant's domains and administrators. */
async function around(db: TenantDb, tenantId: string): Promise<Record<'domains' | 'administrators', PanelValue>> {
  const { language } = currentPanelRequest();
  const [domains, administrators] = await db.shared(async (tx) => [
    await tx.find(Domain, { where: { tenantId }, order: { isPrimary: 'DESC', host: 'ASC' }, take: 100 }),
    await tx
      .createQueryBuilder()
      .select('person.id', 'id')
      .addSelect('person.name', 'name')
      .addSelect('person.email', 'email')
      .from(TenantAdministrator, 'administrator')
      .innerJoin(User, 'person', 'person.id = administrator.userId')
      .where('administrator.tenantId = :tenantId', { tenantId })
      .orderBy('person.name')
      .limit(100)
      .getRawMany<{ id: string; name: string; email: string }>(),
  ]);
  const hosts = domains.map(({ host, isPrimary }) => ({
    title: host,
    href: recordHref('domains', host),
    ...(unicodeHost(host) && { details: unicodeHost(host) }),
    ...(isPrimary && { badge: { text: primary[language], tone: 'good' as const } }),
  }));
  const people = administrators.map(({ id, name, email }) => ({
    title: name,
    href: recordHref('users', id),
    details: email,
  }));
  return {
    domains: related(hosts, { href: newHref('domains', { tenantId }), label: addDomain[language] }),
    administrators: related(people, {
      href: newHref('administrators', { tenantId }),
      label: addAdministrator[language],
    }),
  };
}

/** The tenant's record of changes: who, what and why. */
async function changesOf(history: TenantHistoryService, tenantId: string): Promise<PanelValue> {
  const { done } = lifeWords[currentPanelRequest().language];
  const changes = await history.list(tenantId, 50);
  return related(
    changes.map(({ action, actor, at, reason, details }) => ({
      title: done[action] ?? action,
      at: at.toISOString(),
      details: [actor, reason, shortOf(details)].filter(Boolean).join(' · '),
    })),
  );
}

/** A short text of a change, such as `category: S → A` or a domain's host. */
function shortOf(details: Record<string, unknown>): string {
  const parts = Object.entries(details).map(([field, value]) => {
    if (typeof value !== 'object' || value === null) return field === 'host' ? String(value) : '';
    const { from, to } = value as { readonly from?: unknown; readonly to?: unknown };
    return field === 'state' ? '' : `${field}: ${String(from)} → ${String(to)}`;
  });
  return parts.filter(Boolean).join(', ');
}

async function create(opened: OpenedTenantsService, values: PanelRow): Promise<PanelRow> {
  const { slug, name, category, language, timeZone, host, ownerId, ownerEmail } = values as Record<string, string | null>;
  const { id } = await refusable(() =>
    opened.open(
      {
        slug: slug ?? '',
        name: name ?? '',
        category: category as CategoryCode,
        ...(language && { language: language as Language }),
        ...(timeZone && { timeZone }),
        ...(host && { host }),
        ...(ownerId && { ownerId }),
      },
      ownerEmail || undefined,
    ),
  );
  return { id, name: name ?? '' };
}

/** All tenants of the server. */
@PanelResource({ panels: 'root', position: 10 })
export class TenantsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: TenantServices,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const { opened, history, settings } = services;
    const deleteDays = settings.tenantDeleteDays;
    const declared = declareProperties(
      {
        id: { show: 15 },
        search: { ...searchProperty, filter: true },
        name: { isTitle: true, list: true, form: true, filter: true },
        slug: { help: 'slugHelp', show: true, form: true, filter: true },
        category: { availableValues: Object.keys(categories), list: true, show: true, form: true, filter: true },
        state: {
          availableValues: tenantStates,
          tones: { active: 'good', suspended: 'bad', archived: 'quiet', deleting: 'waiting' },
          list: true,
          show: true,
          filter: true,
        },
        stateReason: { sort: false, show: true, filter: false },
        stateSince: { show: true, filter: false },
        deleteAfter: { show: true, filter: false },
        host: { help: 'hostHelp', list: true, show: true, form: true, filter: 4, sql: 'domain.host' },
        ownerId: { reference: 'users', help: 'ownerHelp', sort: false, form: true, filter: false },
        ownerEmail: { type: 'email', help: 'ownerEmailHelp', sort: false, form: true, filter: false },
        language: {
          availableValues: languages,
          initial: 'fr',
          required: true,
          list: true,
          show: true,
          form: 4,
          filter: true,
        },
        timeZone: { initial: 'Europe/Paris', help: 'timeZoneHelp', required: true, show: true, form: 5 },
        createdAt: { list: true, show: true, filter: true },
        schemaVersion: { list: true, show: true },
        domains: { ...relatedProperty('domains'), show: 8 },
        administrators: { ...relatedProperty('administrators'), show: 9 },
        quotas: { ...relatedProperty('quotas'), show: true },
        history: { ...relatedProperty('history'), show: true },
      },
      { entity: Tenant, alias: 'tenant' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) => query.leftJoin(Domain, 'domain', 'domain.tenantId = tenant.id and domain.isPrimary'),
      searched: {
        own: ['tenant.name', 'tenant.slug', `coalesce(domain.host, '')`].map(foldedColumnSql),
        ids: ['tenant.id'],
      },
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'tenants',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return (
          row && {
            ...row,
            ...(await around(db, id)),
            quotas: quotasView(await services.quotas.of(id)),
            history: await changesOf(history, id),
          }
        );
      },
      create: (values) => create(opened, values),
    };
    return {
      source,
      group: 'server',
      icon: 'Layers',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      hit: { details: ['category', 'host'] },
      actions: tenantActions(db, services, deleteDays),
      words: inEachLanguage((language) => ({
        ...words[language],
        properties: { ...words[language].properties, ...tenantWords[language].properties },
        actions: { ...words[language].actions, ...tenantWords[language].actions },
        messages: { ...words[language].messages, ...tenantWords[language].messages },
        values: {
          state: labels(stateNames, language),
          category: categoryLabels(language),
          language: languageNames(language),
        },
      })),
    };
  }
}

const words = texts.perLanguage('tenants.words', ({ words }) => words);
