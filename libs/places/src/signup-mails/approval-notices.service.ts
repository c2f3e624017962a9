import { RefusedInput } from '#kernel';
import { JobsService } from '#jobs';
import { button, facts, paragraph, type MailBlock } from '#messages';
import { categories, currentTenant, type CategoryCode } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OperatorMailsService } from '../operators/operator-mails.service.js';
import { approvalNoticeJob, moreApprovalsJob, SignupApprovalsService, type AwaitedApproval } from '../signup/signup-approvals.service.js';
import { texts } from '../locales/places.texts.js';

const approvalMailWords = texts.perLanguage('approvalMail', ({ words, t }) => ({
  ...words,
  subject: (server: string) => t('approvalMail.subject', { server }),
  lead: (server: string) => t('approvalMail.lead', { server }),
  more: (count: number) => t('approvalMail.more', { count }),
}));

/** Path of the list in Root's panel. */
const listPath = '/admin/resources/place-requests';

/**
 * Tells operators that forms for new places wait for their decision. Texts of the form are shown as text in a table: the mail has no link
 * but the one to the panel, and its subject has nothing that was typed.
 */
@Injectable()
export class ApprovalNoticesService implements OnModuleInit {
  constructor(
    private readonly jobs: JobsService,
    private readonly approvals: SignupApprovalsService,
    private readonly operators: OperatorMailsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(approvalNoticeJob, (id) => this.send(id, true));
    this.jobs.handle(moreApprovalsJob, (id) => this.send(id, false));
  }

  /** @throws MailDelayedError so that the job is repeated */
  private async send(id: string, shown: boolean): Promise<void> {
    const awaited = await this.awaited(id);
    if (!awaited) return;
    const { name: server, host } = currentTenant();
    const count = await this.approvals.count();
    await this.operators.send((language, link) => {
      const words = approvalMailWords[language];
      const { form } = awaited;
      const table: MailBlock = facts([
        [words.name, form.name],
        [words.kind, categories[form.category as CategoryCode].label[language]],
        [words.host, awaited.host],
        [words.email, form.email],
        [words.description, form.shortDescription],
      ]);
      const url = link(listPath);
      const blocks = shown
        ? [paragraph(words.lead(server)), table, paragraph(words.decide), button(words.link, url)]
        : [paragraph(words.more(count)), paragraph(words.decide), button(words.link, url)];
      return { subject: words.subject(server), blocks, messageId: `${id}.approval@${host}` };
    });
  }

  /** Undefined when the form was decided in the meantime. */
  private async awaited(id: string): Promise<AwaitedApproval | undefined> {
    try {
      return await this.approvals.find(id);
    } catch (error) {
      if (error instanceof RefusedInput) return undefined;
      throw error;
    }
  }
}
