import type { Command } from 'commander';

interface Noun {
  readonly summary: string;
  /** Loads the function that adds the noun's verbs, options and help. */
  readonly load: () => Promise<(noun: Command) => void>;
}

/** The nouns of the command line, in the order of its help. */
export const nouns: Readonly<Record<string, Noun>> = {
  install: {
    summary: 'prepare the database: tables, Root, the agenda, the super-user',
    load: async () => (await import('./commands/install.command.js')).installCommand,
  },
  migrate: {
    summary: 'show and apply database migrations',
    load: async () => (await import('./commands/migrate.command.js')).migrateCommands,
  },
  demo: {
    summary: 'install the demonstration venue',
    load: async () => (await import('./commands/demo.command.js')).demoCommand,
  },
  tenant: {
    summary:
      'create, list and change tenants and their domains; invite people to create one; ' +
      'suspend, archive, delete, restore, export, import and move them',
    load: async () => (await import('./tenant/tenant.command.js')).tenantCommands,
  },
  node: {
    summary: 'list the database servers',
    load: async () => (await import('./commands/node.command.js')).nodeCommands,
  },
  user: {
    summary: 'create, invite and list users, their permissions and passwords',
    load: async () => (await import('./commands/user.command.js')).userCommands,
  },
  key: {
    summary: 'create, list and revoke API keys; rotate the key that signs tickets',
    load: async () => (await import('./commands/key.command.js')).keyCommands,
  },
  device: {
    summary: 'create, update and list scanning devices',
    load: async () => (await import('./commands/device.command.js')).deviceCommands,
  },
  'team-code': {
    summary: 'create, list, show and end codes that pair the phones of a team',
    load: async () => (await import('./commands/team-code.command.js')).teamCodeCommands,
  },
  ticket: {
    summary: 'list tickets with their QR codes',
    load: async () => (await import('./commands/ticket.command.js')).ticketCommands,
  },
  audit: {
    summary: 'compare counters and payments with tickets and memberships, repair the counters, and verify the record of changes',
    load: async () => (await import('./commands/audit.command.js')).auditCommand,
  },
  prune: {
    summary: 'delete old rows of the scan log, mails, webhooks and payment events now, or only count them',
    load: async () => (await import('./commands/prune.command.js')).pruneCommand,
  },
  backup: {
    summary: 'write the whole server to one encrypted and verified file',
    load: async () => (await import('./backup/backup.command.js')).backupCommand,
  },
  restore: {
    summary: 'load a backup into an empty database, verify it, or print its server secret',
    load: async () => (await import('./backup/restore.command.js')).restoreCommand,
  },
  doctor: {
    summary: 'check settings, machine, database and migrations, and report problems',
    load: async () => (await import('./doctor/doctor.command.js')).doctorCommand,
  },
};
