import { Inject, Injectable, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BookingModule } from '#booking';
import { CatalogueModule } from '#catalogue';
import { currentRequest, LOGGER, SecretBox, SERVER_SECRET, SETTINGS } from '#kernel';
import type { Logger, Settings } from '#kernel';
import { ScanModule } from '#scan';
import { currentTenant, panelSessions, SignIn, TenantDb } from '#tenancy';
import type { PanelSessions } from '#tenancy';
import type { Router } from 'express';
import { createPanel } from './panel-mount.js';
import { PANEL_PATH } from './panel-path.js';
import { PanelContents } from './resources/panel-contents.js';

/** The panel of this process, with its sessions. */
@Injectable()
export class Panel {
  private readonly sessions: PanelSessions;

  constructor(
    db: TenantDb,
    private readonly signIn: SignIn,
    private readonly contents: PanelContents,
    private readonly box: SecretBox,
    @Inject(SETTINGS) settings: Settings,
    @Inject(SERVER_SECRET) serverSecret: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sessions = panelSessions(db, settings, serverSecret);
  }

  /** @throws Error when the bundle was not built */
  router(): Router {
    return createPanel({
      content: { tenant: this.contents.ofTenant(), root: this.contents.ofRoot() },
      face: () => (currentTenant().category === 'R' ? 'root' : 'tenant'),
      place: () => currentTenant(),
      session: this.sessions.middleware,
      box: this.box,
      authenticate: (attempt) => this.signIn.authenticate(attempt),
      mayEnter: ({ id }) => this.signIn.mayEnter(id),
      onError: (error) => this.logger.error({ err: error, requestId: currentRequest()?.requestId }, 'panel'),
    });
  }
}

/** AdminJS over the services that the API uses. */
@Module({ imports: [CatalogueModule, BookingModule, ScanModule], providers: [Panel, PanelContents] })
export class PanelModule {}

/** Puts the panel at `/admin`; called before `app.init`, behind the tenant middleware. */
export async function mountPanel(app: NestExpressApplication): Promise<void> {
  app.use(PANEL_PATH, app.get(Panel).router());
}
