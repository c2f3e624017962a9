import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';

export const migrationStates = {
  current: { en: 'Up to date', fr: 'À jour' },
  behind: { en: 'Waits for its migration', fr: 'En attente de migration' },
  newer: { en: 'Newer than this program', fr: 'Plus récent que ce programme' },
} as const satisfies Record<string, Text>;

export const migrationWords: Record<Language, ResourceWords> = {
  en: {
    plural: 'Migrations',
    singular: 'Migration of a tenant',
    properties: {
      name: 'Tenant',
      slug: 'Short name',
      state: 'State',
      version: 'Version',
      latest: 'Newest version',
      reason: 'Reason',
      id: 'Identifier',
    },
    actions: { run: 'Migrate those behind', health: 'Server health' },
  },
  fr: {
    plural: 'Migrations',
    singular: 'Migration d’un lieu',
    properties: {
      name: 'Lieu',
      slug: 'Nom court',
      state: 'État',
      version: 'Version',
      latest: 'Dernière version',
      reason: 'Raison',
      id: 'Identifiant',
    },
    actions: { run: 'Migrer les lieux en retard', health: 'Santé du serveur' },
  },
};

export const runWords = {
  en: {
    lead: (behind: number, total: number) =>
      behind === 0 ? `All ${total} tenants are up to date.` : `${behind} of ${total} tenants wait for their migration and answer 503.`,
    facts: [
      'Each tenant is a transaction of its own. One that is busy is passed over and tried again in the background.',
      'After ten seconds the rest is left to the background, which tries every few seconds anyway.',
    ],
    submit: 'Migrate now',
    done: 'Done',
    left: 'Some tenants are still behind',
    migrated: (count: number) => `Migrated now: ${count}`,
    behind: (count: number) => `Still behind: ${count}`,
    newer: (count: number) => `Newer than this program: ${count}`,
    head: ['Tenant', 'Reason'],
  },
  fr: {
    lead: (behind: number, total: number) =>
      behind === 0 ? `Les ${total} lieux sont à jour.` : `${behind} lieux sur ${total} attendent leur migration et répondent 503.`,
    facts: [
      'Chaque lieu est une transaction à part. Un lieu occupé est laissé de côté et repris en arrière-plan.',
      'Après dix secondes, le reste est laissé à l’arrière-plan, qui réessaie de toute façon toutes les quelques secondes.',
    ],
    submit: 'Migrer maintenant',
    done: 'Terminé',
    left: 'Des lieux sont encore en retard',
    migrated: (count: number) => `Migrés maintenant : ${count}`,
    behind: (count: number) => `Encore en retard : ${count}`,
    newer: (count: number) => `Plus récents que ce programme : ${count}`,
    head: ['Lieu', 'Raison'],
  },
};

export const healthWords = {
  en: {
    lead: 'How this server does at the moment. Load the page again for new figures; sizes are at most a minute old.',
    program: 'Program',
    database: 'Database',
    queues: 'Background work',
    largest: 'Largest tenants',
    migrations: 'Migrations',
    version: (version: string, node: string) => `Guichet ${version}, Node ${node}`,
    running: (hours: string) => `Running for ${hours} h`,
    memory: (mb: number) => `Memory of this process: ${mb} MB`,
    clock: (ms: number) => `Clock of this server against that of the database: ${ms >= 0 ? '+' : ''}${ms} ms`,
    backup: 'Last backup: not known to the program; see your backup’s own record',
    reached: (version: string, ms: number) => `PostgreSQL ${version} answered in ${ms} ms`,
    pool: (open: number, most: number, idle: number, waiting: number) =>
      `Connections of this process: ${open} of ${most} open, ${idle} idle, ${waiting} requests wait for one`,
    size: (text: string) => `Size of the database: ${text}`,
    unknown: 'not told in time',
    queueHead: ['What', 'Waiting', 'Oldest late by', 'Failed before'],
    sizeHead: ['Tenant', 'Size, estimated'],
    failing: (count: number) => `Webhook endpoints that fail: ${count}`,
    seconds: (count: number) => `${count} s`,
    tenants: (total: number, behind: number, newer: number) => `${total} tenants: ${behind} behind, ${newer} newer than this program`,
    shared: (current: number, latest: number) => `Shared schema: version ${current} of ${latest}`,
    down: 'The database does not answer',
  },
  fr: {
    lead: 'L’état de ce serveur en ce moment. Rechargez la page pour de nouveaux chiffres ; les tailles ont au plus une minute.',
    program: 'Programme',
    database: 'Base de données',
    queues: 'Travail d’arrière-plan',
    largest: 'Lieux les plus volumineux',
    migrations: 'Migrations',
    version: (version: string, node: string) => `Guichet ${version}, Node ${node}`,
    running: (hours: string) => `En marche depuis ${hours} h`,
    memory: (mb: number) => `Mémoire de ce processus : ${mb} Mo`,
    clock: (ms: number) => `Horloge de ce serveur par rapport à celle de la base : ${ms >= 0 ? '+' : ''}${ms} ms`,
    backup: 'Dernière sauvegarde : inconnue du programme ; voyez le journal de vos sauvegardes',
    reached: (version: string, ms: number) => `PostgreSQL ${version} a répondu en ${ms} ms`,
    pool: (open: number, most: number, idle: number, waiting: number) =>
      `Connexions de ce processus : ${open} ouvertes sur ${most}, ${idle} libres, ${waiting} demandes en attendent une`,
    size: (text: string) => `Taille de la base : ${text}`,
    unknown: 'pas de réponse à temps',
    queueHead: ['Quoi', 'En attente', 'Retard du plus ancien', 'Déjà échoués'],
    sizeHead: ['Lieu', 'Taille estimée'],
    failing: (count: number) => `Destinations de webhooks en échec : ${count}`,
    seconds: (count: number) => `${count} s`,
    tenants: (total: number, behind: number, newer: number) =>
      `${total} lieux : ${behind} en retard, ${newer} plus récents que ce programme`,
    shared: (current: number, latest: number) => `Schéma commun : version ${current} sur ${latest}`,
    down: 'La base de données ne répond pas',
  },
};
