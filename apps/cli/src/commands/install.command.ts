import type { Command } from 'commander';
import { InstallationService, Migrator } from '#tenancy';
import { unmigrated } from './migrate.command.js';
import { documented, fields, say, show } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

interface InstallOptions {
  readonly json?: boolean;
}

/** `install`: does what the first start of a server does, without serving. */
export function installCommand(noun: Command): void {
  noun.description(
    'Prepares the database: migrations, Root, the first agenda, a super-user (ADMIN_EMAIL).\n' +
      'Existing data is kept: a second run changes nothing. The password is printed only once.',
  );
  documented(noun, {
    install: 'prints the addresses and, the first time, the super-user and the password',
    'install --json': 'prints {"migrated", "created", "root_url", "super_user"}; super_user is {"email", "password"} or null',
  }).action(install);
}

async function install(options: InstallOptions): Promise<void> {
  await withSession(
    async (session) => {
      const migrated = await session.service(Migrator).run(say);
      const { created, superUser } = await session.service(InstallationService).ensure();
      const rootUrl = session.address({ slug: 'root', host: session.settings.baseDomain }, '/admin');
      const document = {
        migrated,
        created,
        root_url: rootUrl,
        super_user: superUser ?? null,
      };
      show(options, document, [
        ...fields({
          Created: created.join(', ') || 'nothing, everything was there',
          Root: rootUrl,
          'Super-user': superUser?.email,
          Password: superUser?.password,
        }),
        ...unmigrated(migrated),
      ]);
      if (migrated.behind.length + migrated.newer.length > 0) process.exitCode = 1;
      if (superUser) say('The password is shown only now.');
    },
    { bare: true, creates: true, patient: true },
  );
}
