import { Inject, Injectable } from '@nestjs/common';
import { forEachLanguage, SETTINGS, type Settings } from '#kernel';
import { PanelResources, panelWords, type PanelContent } from '#panel-kit';
import { HistoryServices } from './changes/history.action.js';
import { LookPagesService } from '#pages';
import { ScanService } from '#scan';
import { Migrator, TenantDb } from '#tenancy';
import { AccountServices } from './account/account.services.js';
import { accountRouter } from './account/account.router.js';
import { lookPreviewRouter } from './profile/look-preview.router.js';
import { mailPreviewRouter } from './mails/mail-preview.router.js';
import { MailTextServices } from './mails/mail-texts.page.js';
import { operatorProofs } from './rights/operator-proofs.js';
import { welcomeNeeds } from './rights/path-rights.js';
import { allowedStartPage } from './rights/start-page-rights.js';
import { tenantRights } from './rights/tenant-rights.js';
import { serverFigures } from './server/server.reader.js';
import { readStartPage } from './start-page/start-page.reader.js';
import { WelcomeServices } from './welcome/welcome.reader.js';
import { welcomeRouter } from './welcome/welcome.router.js';

/** The contents of both panels beside their resources. */
@Injectable()
export class PanelContents {
  constructor(
    private readonly db: TenantDb,
    private readonly resources: PanelResources,
    private readonly scan: ScanService,
    private readonly welcomes: WelcomeServices,
    private readonly migrator: Migrator,
    private readonly mailTexts: MailTextServices,
    private readonly lookPages: LookPagesService,
    private readonly account: AccountServices,
    private readonly history: HistoryServices,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The panel of a tenant, with the resources of its category. */
  ofTenant(): PanelContent {
    return {
      entries: this.resources.entries('tenant').map((entry) => this.history.with(entry)),
      rights: tenantRights,
      startPage: async () => allowedStartPage(await readStartPage(this.db, this.settings, this.welcomes)),
      paths: (assets) => [
        { path: '/welcome', needs: welcomeNeeds, pages: welcomeRouter(this.welcomes, assets) },
        { path: '/mail-texts', needs: 'mail.write', pages: mailPreviewRouter(this.mailTexts) },
        { path: '/look', needs: 'profile.change', pages: lookPreviewRouter(this.lookPages) },
        { path: '/account', needs: 'person', pages: accountRouter(this.account, assets) },
      ],
      lookUpCode: async (text) => {
        const judged = await this.scan.judgeCode(text);
        if ('ticketId' in judged) return { id: judged.ticketId };
        return 'fault' in judged && judged.fault === 'forged' ? 'forged' : undefined;
      },
    };
  }

  /** The panel of the server, for super-users. */
  ofRoot(): PanelContent {
    return {
      entries: this.resources.entries('root'),
      rights: 'operator',
      proofs: operatorProofs,
      startPage: () => serverFigures(this.db, this.migrator, this.settings),
      paths: (assets) => [{ path: '/account', needs: 'person', pages: accountRouter(this.account, assets) }],
      startTitle: forEachLanguage((language) => panelWords(language).components.Tonight.rootTitle),
    };
  }
}
