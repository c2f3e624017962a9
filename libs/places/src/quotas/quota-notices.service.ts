import { JobsService } from '#jobs';
import { button, fineprint, paragraph } from '#messages';
import { QuotasService, runInTenant, TenantDb, TenantsService } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OperatorMailsService } from '../operators/operator-mails.service.js';
import { texts } from '../locales/places.texts.js';

const quotaNoticeJob = 'quota notice';

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
    private readonly operators: OperatorMailsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(quotaNoticeJob, (id) => this.send(id));
    this.quotas.onReached((tenantId) => this.add(tenantId));
  }

  private async add(tenantId: string): Promise<void> {
    const root = await this.operators.root();
    if (root) await runInTenant(root, () => this.db.transaction((tx) => this.jobs.add(tx, quotaNoticeJob, tenantId)));
  }

  /** @throws MailDelayedError so that the job is repeated */
  private async send(tenantId: string): Promise<void> {
    const [tenant] = await this.tenants.byIds([tenantId]);
    if (!tenant) return;
    await this.operators.send((language, link) => {
      const words = quotaMailWords[language];
      const url = link(`/admin/resources/tenants/records/${tenantId}/show`);
      return {
        subject: words.subject(tenant.name),
        blocks: [paragraph(words.lead(tenant.name)), button(words.link, url), fineprint(tenant.host)],
      };
    });
  }
}
