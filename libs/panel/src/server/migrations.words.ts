import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

export const migrationStates = {
  current: texts.localized('migrations.states.current'),
  moving: texts.localized('migrations.states.moving'),
  behind: texts.localized('migrations.states.behind'),
  newer: texts.localized('migrations.states.newer'),
} as const satisfies Record<string, Text>;

export const migrationWords: Record<Language, ResourceWords> = texts.perLanguage('migrations.migration', ({ words }) => words);

export const runWords = texts.perLanguage('migrations.run', ({ words, t }) => ({
  ...words,
  lead: (behind: number, total: number) =>
    behind === 0 ? t('migrations.run.upToDate', { total }) : t('migrations.run.lead', { behind, total }),
  migrated: (count: number) => t('migrations.run.migrated', { count }),
  behind: (count: number) => t('migrations.run.behind', { count }),
  newer: (count: number) => t('migrations.run.newer', { count }),
}));

export const healthWords = texts.perLanguage('migrations.health', ({ words, t }) => ({
  ...words,
  version: (version: string, node: string) => t('migrations.health.version', { version, node }),
  running: (time: string) => t('migrations.health.running', { time }),
  memory: (mb: number) => t('migrations.health.memory', { mb }),
  clock: (ms: number) => t('migrations.health.clock', { difference: `${ms >= 0 ? '+' : ''}${ms}` }),
  reached: (version: string, ms: number) => t('migrations.health.reached', { version, ms }),
  silent: (address: string) => t('migrations.health.silent', { address }),
  pool: (open: number, most: number, idle: number, waiting: number) => t('migrations.health.pool', { open, most, idle, waiting }),
  size: (text: string) => t('migrations.health.size', { text }),
  failing: (count: number) => t('migrations.health.failing', { count }),
  seconds: (count: number) => t('migrations.health.seconds', { count }),
  backup: (age: { readonly hours: number; readonly size: string } | undefined) =>
    age ? t('migrations.health.lastBackup', age) : t('migrations.health.noBackup'),
  tenants: (total: number, behind: number, newer: number) => t('migrations.health.tenants', { total, behind, newer }),
  shared: (current: number, latest: number) => t('migrations.health.shared', { current, latest }),
}));

export const serversWords = texts.perLanguage('migrations.servers', ({ words, t }) => ({
  ...words,
  answered: (ms: number) => t('migrations.servers.answered', { ms }),
}));
