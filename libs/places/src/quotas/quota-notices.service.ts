import { SETTINGS, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { button, fineprint, mailFrame, MailRefusedError, MailTransportService, paragraph } from '#messages';
import { currentTenant, QuotasService, runInTenant, TenantDb, TenantsService, tenantUrl } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { texts } from '../locales/places.texts.js';

const quotaNoticeJob = 'quota notice';
/** Operators who get the mail. */
const mostOperators = 20;

const quotaMailWords = texts.perLanguage('quotaMail', ({ words, t }) => ({
  ...words,
  subject: (name: string) => t('quotaMail.subject', { name }),
  lead: (name: string) => t('quotaMail.lead', { name }),
}));

/** Tells the operators of the server by mail when a tenant has used a large part of a daily quota, or all of it. */
@Injectable()
export class QuotaNoticesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly quotas: QuotasService,
    private readonly tenants: TenantsService,
    private readonly transport: MailTransportService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(quotaNoticeJob, (id) => this.send(id));
    this.quotas.onReached((tenantId) => this.add(tenantId));
  }

  private async add(tenantId: string): Promise<void> {
    const [root] = await this.db.shared((tx) => tx.query<{ id: string }[]>(`select id from shared.tenant where category = 'R'`));
    const [tenant] = root ? await this.tenants.byIds([root.id]) : [];
    if (tenant) await runInTenant(tenant, () => this.db.transaction((tx) => this.jobs.add(tx, quotaNoticeJob, tenantId)));
  }

  /** @throws MailDelayedError so that the job is repeated */
  private async send(tenantId: string): Promise<void> {
    const [tenant] = await this.tenants.byIds([tenantId]);
    if (!tenant) return;
    const root = currentTenant();
    const { language } = root;
    const words = quotaMailWords[language];
    const url = tenantUrl(this.settings, root, `/admin/resources/tenants/records/${tenantId}/show`);
    const content = mailFrame({
      language,
      tenant: {
        name: root.name,
        url: tenantUrl(this.settings, root, ''),
        timeZone: root.timeZone,
        email: null,
        sender: this.settings.mailFrom.address,
      },
      subject: words.subject(tenant.name),
      title: words.subject(tenant.name),
      blocks: [paragraph(words.lead(tenant.name)), button(words.link, url), fineprint(tenant.host)],
      footer: words.footer,
    });
    for (const to of await this.operators()) {
      try {
        await this.transport.send({ ...content, to, fromName: root.name, attachments: [] });
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error;
      }
    }
  }

  private async operators(): Promise<string[]> {
    const rows = await this.db.shared((tx) =>
      tx.query<{ email: string }[]>(`select email from shared.user_account where is_super_user order by created_at limit ${mostOperators}`),
    );
    return rows.map(({ email }) => email);
  }
}
