import type { Settings } from '#kernel';
import { latestTenant, Tenant, BackgroundMigrations, BackupService, Migrator, ServerHealthService, TenantDb } from '#tenancy';
import {
  formView,
  type FormReport,
  currentPanelRequest,
  entityReader,
  textOf,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import type { PanelEntry, PanelPage, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { migrationStates, migrationWords, runWords } from './migrations.words.js';
import { databaseServersPage, DatabaseServersPanel } from './database-servers.page.js';
import { serverHealthPage } from './server-health.page.js';
import { Injectable, Inject } from '@nestjs/common';
import { SETTINGS } from '#kernel';

/** Time limit of migrations within a request, in milliseconds; the background migration continues. */
const longestMs = 10_000;
const mostShown = 200;

@Injectable()
export class MigrationServices {
  constructor(
    readonly migrator: Migrator,
    readonly background: BackgroundMigrations,
    readonly health: ServerHealthService,
    readonly backups: BackupService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}
}

/** The schema version of every tenant, and why it is behind. */
@PanelResource({ panels: 'root', position: 200 })
export class MigrationsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly services: MigrationServices,
    private readonly servers: DatabaseServersPanel,
  ) {}

  entry(): PanelEntry {
    const { db, services } = this;
    const { migrator, background } = services;
    const declared = declareProperties(
      {
        id: { show: 6 },
        name: { isTitle: true, list: true, filter: true },
        slug: { list: true, show: true, filter: true },
        state: {
          availableValues: Object.keys(migrationStates),
          tones: { current: 'good', moving: 'bad', behind: 'bad', newer: 'bad' },
          list: true,
          show: true,
          filter: true,
          sql: `case when tenant.moving_since is not null then 'moving' when tenant.schema_version < ${latestTenant} then 'behind'
        when tenant.required_version > ${latestTenant} then 'newer' else 'current' end`,
        },
        version: { type: 'number', list: true, show: true, filter: true, sql: 'tenant.schemaVersion' },
        latest: { type: 'number', sort: false, list: true, show: true, filter: false, sql: `${latestTenant}::int` },
        reason: { sort: false, list: true, show: true, filter: false },
      },
      { entity: Tenant, alias: 'tenant' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      sort: { by: 'name', direction: 'asc' },
    });
    const withReason = (row: PanelRow): PanelRow => ({
      ...row,
      reason: row['state'] === 'current' ? null : (background.reasons().get(textOf(row['slug'])) ?? null),
    });
    const source: PanelSource = {
      id: 'migrations',
      properties: declared.properties,
      ...reader,
      find: async (query) => (await reader.find(query)).map(withReason),
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && withReason(row);
      },
    };
    return {
      source,
      group: 'server',
      icon: 'GitCommit',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      pages: {
        run: runPage(migrator),
        health: serverHealthPage(services),
        ...(this.servers.servers.areSeveral && { servers: databaseServersPage(this.servers) }),
      },
      words: inEachLanguage((language) => ({
        ...migrationWords[language],
        values: { state: labels(migrationStates, language) },
      })),
    };
  }
}

/** The page that migrates tenants that are behind, within the time limit of a request. */
function runPage(migrator: Migrator): PanelPage {
  return {
    icon: 'PlayCircle',
    component: 'ActionForm',
    variant: 'primary',
    view: async () => {
      const words = runWords[currentPanelRequest().language];
      const { tenants } = await migrator.status();
      return formView({
        lead: [words.lead(tenants.behind, tenants.total)],
        facts: tenants.behind > 0 ? words.facts : [],
        fields: [],
        ...(tenants.behind > 0 && { submit: words.submit }),
      });
    },
    act: async () => {
      const words = runWords[currentPanelRequest().language];
      const begun = performance.now();
      const { tenants, behind, newer } = await migrator.migrateTenants(
        () => undefined,
        () => performance.now() - begun > longestMs,
      );
      const report: FormReport = {
        title: behind.length > 0 ? words.left : words.done,
        tone: behind.length > 0 ? 'bad' : 'good',
        facts: [words.migrated(tenants), words.behind(behind.length), words.newer(newer.length)],
        ...(behind.length > 0 && {
          table: {
            title: words.left,
            head: words.head,
            rows: behind.slice(0, mostShown).map(({ slug, reason }) => [slug, reason]),
          },
        }),
      };
      return { view: { report } };
    },
  };
}
