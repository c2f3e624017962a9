import { EventCancellationsService } from '#tickets';
import { WaitingProposalsService } from '#waiting';
import { JobsService } from '#jobs';
import { RefusedInput, SETTINGS, type Settings } from '#kernel';
import { PaymentAccountsService, PaymentProviders } from '#payments';
import { NetworksService, PlaceProfileService } from '#places';
import { CampaignsService } from '#selling';
import { currentTenant, hasModule, runInTenant, TenantDb, TenantsService, UsersService, type TenantIdentity } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { DemoTenant } from './basics/demo-tenant.js';
import { DemoAdministrator } from './demo-administrator.service.js';
import { DemoContent } from './content/demo-content.js';
import { demoFinishJob } from './content/demo-finish-job.js';
import { agendaLegal } from './places/demo-legal.js';
import { DemoPicturesService } from './pictures/demo-pictures.service.js';
import { demoTenants } from './places/demo-tenants.js';
import { practicePay } from './practice/practice-pay.provider.js';

/**
 * What services do for a demo tenant in transactions of their own, after its content was stored. Every step can be repeated: a job that is
 * stored with the content repeats them when the process dies in between.
 */
@Injectable()
export class DemoFinishService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly administrator: DemoAdministrator,
    private readonly users: UsersService,
    private readonly tenants: TenantsService,
    private readonly networks: NetworksService,
    private readonly profiles: PlaceProfileService,
    private readonly content: DemoContent,
    private readonly cancellations: EventCancellationsService,
    private readonly waiting: WaitingProposalsService,
    private readonly pictures: DemoPicturesService,
    private readonly providers: PaymentProviders,
    private readonly accounts: PaymentAccountsService,
    private readonly campaigns: CampaignsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'metaSubdomain'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(demoFinishJob, async () => {
      const tenant = currentTenant();
      const demo = demoTenants.find((one) => one.tenant.slug === tenant.slug);
      if (demo) await this.complete(demo, tenant);
    });
  }

  /** Completes a tenant whose content was stored. Nothing is left for the job then. */
  async finish(demo: DemoTenant, tenant: TenantIdentity): Promise<void> {
    await this.complete(demo, tenant);
    await runInTenant(tenant, () => this.db.transaction((tx) => this.jobs.cancel(tx, demoFinishJob, tenant.id)));
  }

  private async complete(demo: DemoTenant, tenant: TenantIdentity): Promise<void> {
    const { id } = await this.administrator.ensure();
    // An empty tenant that existed before may belong to somebody else.
    await this.users.grant(id, { tenantId: tenant.id });
    await this.joinAgenda(tenant);
    await runInTenant(tenant, async () => {
      const ids = await this.content.eventIds();
      for (const { name, cancelled, waiting } of demo.events) {
        const [event] = ids.get(name) ?? [];
        if (cancelled && event && !(await this.cancellations.progress(event))) await this.cancellations.cancel(event);
        if (waiting && event) await this.waiting.serve(event);
      }
      await this.pictures.hang(demo, ids);
      await this.takePayments(demo);
    });
  }

  /** Practice payments, where this program has them, and what is only sold online. */
  private async takePayments({ campaigns = [] }: DemoTenant): Promise<void> {
    const known = await this.campaigns.shown();
    for (const campaign of campaigns)
      if (!known.some(({ title }) => title === campaign.title)) await this.campaigns.create({ ...campaign, published: true });
    if (this.providers.find(practicePay) && hasModule('ticketing')) await this.accounts.save(practicePay, {});
  }

  /** Makes the server's agenda show the demo's events, and gives it the legal texts that it lacks. Does nothing without such an agenda. */
  private async joinAgenda(tenant: TenantIdentity): Promise<void> {
    const agenda = await this.tenants.bySlug(this.settings.metaSubdomain);
    if (agenda?.category !== 'M') return;
    await runInTenant(tenant, () => this.networks.ask(agenda.id, { sentTags: [] })).catch((error: unknown) => {
      // It asked before.
      if (!(error instanceof RefusedInput)) throw error;
    });
    await runInTenant(agenda, async () => {
      await this.networks.accept(tenant.id);
      const { imprint, terms, privacy } = await this.profiles.read();
      // The form for a new place asks people to agree to the terms.
      if (!imprint && !terms && !privacy) await this.profiles.change(agendaLegal);
    });
  }
}
