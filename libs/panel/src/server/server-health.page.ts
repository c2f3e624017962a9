import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, type Settings } from '#kernel';
import type { BackupService, Migrator, ServerHealthService } from '#tenancy';
import { formView, type FormReport, currentPanelRequest, PanelFieldError } from '#panel-kit';
import type { PanelPage } from '#panel-kit';
import { healthWords } from './migrations.words.js';

/** A warning is shown when a queue's oldest entry is late by more than this. */
const lateSeconds = 300;
/** A warning is shown when the clock differs by more than this. */
const longestOffsetMs = 2000;

const programVersion = (): string =>
  (JSON.parse(readFileSync(join(projectFolder(), 'package.json'), 'utf8')) as { version: string }).version;

/** Formats a size in bytes: `1.5 GB`. */
export function sizeText(bytes: number, language: string): string {
  const [unit, divisor] = bytes < 1e9 ? (['megabyte', 1e6] as const) : (['gigabyte', 1e9] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / divisor);
}

/** Formats a time in its largest fitting unit: `5 minutes`, `30 hours`, `12 days`. */
function timeWords(seconds: number, language: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const [unit, length] = units.find(([, one]) => seconds >= 2 * one) ?? units[2];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / length));
}

interface HealthServices {
  readonly health: ServerHealthService;
  readonly backups: BackupService;
  readonly migrator: Migrator;
  readonly settings: Settings;
}

/** The read-only page with the server's health. */
export function serverHealthPage({ health, backups, migrator, settings }: HealthServices): PanelPage {
  const reports = async (): Promise<FormReport[]> => {
    const { language } = currentPanelRequest();
    const words = healthWords[language];
    const [found, migrations, lastBackup] = await Promise.all([health.look(), migrator.status(), backups.last()]);
    const { connections, queues, largest, databaseBytes } = found;
    const { shared, tenants } = migrations;
    const isLate = queues.some(({ oldestSeconds }) => oldestSeconds > lateSeconds) || found.failingEndpoints > 0;
    return [
      {
        title: words.program,
        tone: Math.abs(found.clockOffsetMs) > longestOffsetMs ? 'bad' : 'good',
        facts: [
          words.version(programVersion(), process.version),
          words.running(timeWords(process.uptime(), language)),
          words.memory(Math.round(process.memoryUsage.rss() / 1e6)),
          words.clock(found.clockOffsetMs),
        ],
      },
      {
        title: words.database,
        tone: connections.waiting + found.silent.length > 0 ? 'bad' : 'good',
        facts: [
          words.reached(found.databaseVersion, found.tookMs),
          ...found.silent.map((address) => words.silent(address)),
          words.pool(connections.open, settings.databasePoolSize, connections.idle, connections.waiting),
          words.size(databaseBytes === null ? words.unknown : sizeText(databaseBytes, language)),
          words.backup(lastBackup && { hours: Math.round(lastBackup.ageSeconds / 3600), size: sizeText(lastBackup.bytes, language) }),
        ],
      },
      {
        title: words.migrations,
        tone: tenants.behind + tenants.newer > 0 ? 'bad' : 'good',
        facts: [words.tenants(tenants.total, tenants.behind, tenants.newer), words.shared(shared.current, shared.latest)],
      },
      {
        title: words.queues,
        tone: isLate ? 'bad' : 'good',
        facts: [words.failing(found.failingEndpoints)],
        table: {
          title: words.queues,
          head: words.queueHead,
          rows: queues.map(({ name, waiting, oldestSeconds, failed }) => [
            name,
            String(waiting),
            words.seconds(oldestSeconds),
            String(failed),
          ]),
        },
      },
      {
        title: words.largest,
        tone: 'info',
        facts: [],
        table: {
          title: words.largest,
          head: words.sizeHead,
          rows: largest.map(({ name, slug, bytes }) => [`${name} (${slug})`, sizeText(bytes, language)]),
        },
      },
    ];
  };
  return {
    icon: 'Activity',
    component: 'ActionForm',
    side: true,
    view: async () => {
      const words = healthWords[currentPanelRequest().language];
      const shown = await reports().catch((): FormReport[] => [{ title: words.down, tone: 'bad', facts: [] }]);
      return formView({ lead: [words.lead], reports: shown, fields: [] });
    },
    act: async () => {
      throw new PanelFieldError({}, 'error404Resource');
    },
  };
}
