import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, retryOnDeadlock, secretFingerprint, SERVER_SECRET, SETTINGS, type Settings } from '#kernel';
import { DatabaseStartError } from '../../database/connections/database.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { UsersService } from './users.service.js';

export interface InstallationReport {
  /** Set when this call created the super-user. The password is not shown again. */
  readonly superUser?: { readonly email: string; readonly password: string };
  readonly created: readonly string[];
}

/** Creates what every server needs at its first start: one Root, a first Meta and a super-user. */
@Injectable()
export class InstallationService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SERVER_SECRET) private readonly serverSecret: string,
  ) {}

  /**
   * Creates the missing parts; a second call creates nothing. When two servers start at once, the database decides which one creates a
   * part.
   * @throws DatabaseStartError when the database was set up with another server secret
   */
  async ensure(): Promise<InstallationReport> {
    await this.checkSecret();
    const created: string[] = [];
    const { baseDomain, metaSubdomain } = this.settings;
    if (await this.createOnce('R', { slug: 'root', name: 'Root', host: baseDomain })) created.push('root');
    if (await this.createOnce('M', { slug: metaSubdomain, name: 'Agenda', host: `${metaSubdomain}.${baseDomain}` }))
      created.push(metaSubdomain);
    const superUser = await this.createSuperUser();
    return { created, ...(superUser ? { superUser } : {}) };
  }

  /** Stores the fingerprint of the secret on the first call and compares it on all later calls. @throws DatabaseStartError */
  async checkSecret(): Promise<void> {
    const fingerprint = secretFingerprint(this.serverSecret);
    const store = async (tx: Tx): Promise<string | null | undefined> => {
      const read = async (): Promise<string | null | undefined> => {
        const [row] = await tx.query<{ found: string | null }[]>('select secret_fingerprint as found from shared.installation');
        return row?.found;
      };
      const found = await read();
      // Written only once: a change needs all database servers, and a process starts although one does not answer.
      if (found) return found;
      await tx.query('update shared.installation set secret_fingerprint = $1 where secret_fingerprint is null', [fingerprint]);
      // A separate statement: when two servers start at once, the second one must read the value that the first one wrote.
      return read();
    };
    // On several database servers, two first starts at once may wait for each other.
    const stored = await retryOnDeadlock(() => this.db.shared(store));
    if (stored !== fingerprint) {
      throw new DatabaseStartError(
        'The server secret is not the one this database was set up with: restore SERVER_SECRET, or the file server-secret of the ' +
          'data folder.',
      );
    }
  }

  private async createOnce(category: 'R' | 'M', input: { slug: string; name: string; host: string }): Promise<boolean> {
    const [existing] = await this.db.sharedStatement(
      { name: 'tenant-of-category', text: 'select 1 from shared.tenant where category = $1 limit 1' },
      [category],
    );
    if (existing) return false;
    try {
      // At home, which works whenever the server does.
      await this.tenants.create({ ...input, category, node: 0 });
      return true;
    } catch (error) {
      // Another server that starts now created it.
      if (error instanceof RefusedInput && (error.field === 'slug' || error.field === 'category')) return false;
      throw error;
    }
  }

  private async createSuperUser(): Promise<{ email: string; password: string } | undefined> {
    const [existing] = await this.db.sharedStatement(
      { name: 'any-super-user', text: 'select 1 from shared.user_account where is_super_user limit 1' },
      [],
    );
    if (existing) return undefined;
    try {
      const { email, password } = await this.users.create({
        email: this.settings.adminEmail,
        name: 'Administrator',
        isSuperUser: true,
        mayCreateTenants: true,
      });
      return { email, password };
    } catch (error) {
      if (error instanceof RefusedInput && error.field === 'email') return undefined;
      throw error;
    }
  }
}
