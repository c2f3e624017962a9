import { isEmail, RefusedInput, SETTINGS, type Language, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { ScheduledTasks, runInTenant, TenantDb, TenantsService, tenantUrl, type TenantIdentity } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SignupLinks } from './signup-links.js';
import { signupMailJob, SignupRequestsService } from './signup-requests.service.js';
import { texts } from '../locales/places.texts.js';

const invitationDays = 14;
/** Forms are kept for one more day after they expire, because the number of mails to one address per day is counted from them. */
const prune = {
  name: 'place-requests-prune',
  text: `delete from shared.place_request where expires_at < (select now() - interval '1 day')`,
};

/** Invitations by operators to fill in the form for a new place, and deletion of expired forms. */
@Injectable()
export class SignupInvitationsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly tenants: TenantsService,
    private readonly tasks: ScheduledTasks,
    private readonly links: SignupLinks,
    private readonly requests: SignupRequestsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.tasks.addForNode('prune forms of new places', async () => {
      await this.db.sharedStatement(prune, []);
    });
  }

  /**
   * Sends an invitation by mail. The link works once, for two weeks, also when the form is closed to the public.
   * @returns the link
   * @throws RefusedInput on email
   */
  async invite(email: string, language?: Language): Promise<{ email: string; url: string; days: number }> {
    const address = email.slice(0, 300).trim().toLowerCase();
    if (!isEmail(address)) throw new RefusedInput('email', sentences.email);
    if (this.settings.tenantForm === 'off') throw new RefusedInput('email', sentences.off);
    const meta = await this.meta();
    const id = await runInTenant(meta, () =>
      this.db.transaction(async (tx) => {
        const made = await this.requests.invite(tx, address, language ?? meta.language, invitationDays);
        await this.jobs.add(tx, signupMailJob, made);
        return made;
      }),
    );
    return { email: address, url: tenantUrl(this.settings, meta, this.links.invitationPath(id)), days: invitationDays };
  }

  private async meta(): Promise<TenantIdentity> {
    const meta = await this.tenants.firstMetaOfServer();
    if (!meta) throw new RefusedInput('email', sentences.noMeta);
    return meta;
  }
}

const sentences = {
  email: texts.localized('signupInvitations.email'),
  off: texts.localized('signupInvitations.off'),
  noMeta: texts.localized('signupInvitations.noMeta'),
} as const;
