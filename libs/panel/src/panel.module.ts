import { Inject, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HoldersModule } from '#holders';
import { GiftCardsModule } from '#gift-cards';
import { MembershipsModule } from '#memberships';
import { NoticesModule } from '#notices';
import { SellingModule } from '#selling';
import { TicketsModule } from '#tickets';
import { WaitingModule } from '#waiting';
import { PaymentsModule } from '#payments';
import { TransfersModule } from '#transfers';
import { CardsModule } from '#cards';
import { CatalogueModule } from '#catalogue';
import { currentRequest, LOGGER, RateLimits, SecretBox, SERVER_SECRET, SETTINGS } from '#kernel';
import type { Logger, Settings } from '#kernel';
import { PagesModule } from '#pages';
import { PlacesModule, StaffMailsService } from '#places';
import { WalletModule } from '#wallet';
import { ScanModule } from '#scan';
import {
  currentTenant,
  panelSessions,
  PasswordLinksService,
  ProofsService,
  SignInService,
  QuotasService,
  SupportVisitsService,
  TenantDb,
} from '#tenancy';
import type { PanelSessions } from '#tenancy';
import { panelAdmin, PANEL_PATH, PanelResources, PanelRouter, type PanelOptions } from '#panel-kit';
import { PanelContents } from './panel-contents.js';
import { InvitationPageOptions } from './people/invitation-options.js';
import { ChosenEvents } from './rights/chosen-events.js';
import { resources, resourceServices } from './resources.js';

const PANEL_SESSIONS = Symbol('panel sessions');

/** Creates the panel of this process with its sessions. */
@Injectable()
export class Panel {
  constructor(
    @Inject(PANEL_SESSIONS) private readonly sessions: PanelSessions,
    private readonly signIn: SignInService,
    private readonly contents: PanelContents,
    private readonly events: ChosenEvents,
    private readonly box: SecretBox,
    private readonly limits: RateLimits,
    private readonly visits: SupportVisitsService,
    private readonly quotas: QuotasService,
    private readonly links: PasswordLinksService,
    private readonly proofs: ProofsService,
    private readonly mails: StaffMailsService,
    private readonly invitations: InvitationPageOptions,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  options(): PanelOptions {
    const { contents } = this;
    return {
      content: (panel) => (panel === 'tenant' ? contents.ofTenant() : contents.ofRoot()),
      kind: () => (currentTenant().category === 'R' ? 'root' : 'tenant'),
      place: () => currentTenant(),
      session: this.sessions.middleware,
      box: this.box,
      authenticate: (attempt) => this.signIn.authenticate(attempt),
      completeWithCode: (step, code, browserMark) => this.signIn.completeWithCode(step, code, browserMark),
      passkeys: {
        ask: (site, step) => this.signIn.askPasskey(site, step),
        complete: (answer, browserMark, step) => this.signIn.completeWithPasskey(answer, browserMark, step),
        waysOf: ({ userId }, host) => this.proofs.waysOf(userId, host),
      },
      proofs: this.proofs,
      passwordLinks: {
        delivers: this.mails.delivers,
        showsLinks: () => this.mails.showsLinks,
        ask: (asked) => this.mails.requestPasswordLink(asked),
        open: (token) => this.links.open(token),
        use: async (token, chosen, client) => {
          const userId = await this.links.setPassword(token, chosen, client);
          return userId === undefined ? undefined : this.signIn.admitUser(userId);
        },
      },
      invitations: this.invitations.options(),
      countAttempt: (attempt) => this.signIn.countAttempt(attempt),
      countVisitor: (request) => this.limits.countNetwork('pages', request),
      countStaff: ({ sessionID }) => this.limits.countKnown('panel', sessionID),
      countStored: (bytes) => this.quotas.demand('megabytes', bytes),
      refuseSpent: (request) => {
        const id = this.sessions.claimedId(request);
        if (id !== undefined) this.limits.refuseEmpty('panel', id);
      },
      support: {
        minutes: this.settings.supportMinutes,
        enter: (token) => this.visits.enter(token),
        leave: (visitId) => this.visits.leave(visitId),
        record: (visitId, act) => this.visits.record(visitId, act),
      },
      personOf: async ({ id }) => {
        const person = await this.signIn.entry(id);
        return person && { ...person, grant: await this.events.resolved(person.grant) };
      },
      onError: (error) => this.logger.error({ err: error, requestId: currentRequest()?.requestId }, 'panel'),
    };
  }
}

/** Provides the panel's router and all resources. */
@Module({
  imports: [
    DiscoveryModule,
    CatalogueModule,
    PaymentsModule,
    TransfersModule,
    TicketsModule,
    GiftCardsModule,
    MembershipsModule,
    SellingModule,
    WaitingModule,
    NoticesModule,
    HoldersModule,
    CardsModule,
    ScanModule,
    PagesModule,
    PlacesModule,
    WalletModule,
  ],
  providers: [
    Panel,
    PanelContents,
    ChosenEvents,
    InvitationPageOptions,
    PanelResources,
    ...resources,
    ...resourceServices,
    {
      provide: PANEL_SESSIONS,
      inject: [TenantDb, SETTINGS, SERVER_SECRET],
      useFactory: (db: TenantDb, settings: Settings, secret: string) => panelSessions(db, settings, secret),
    },
    { provide: PanelRouter, inject: [Panel], useFactory: (panel: Panel) => new PanelRouter(panel.options()) },
  ],
  exports: [PanelRouter],
})
class PanelHomeModule {}

/** The AdminJS instances of both panels, which use the same services as the API. */
@Module({ imports: [PanelHomeModule, panelAdmin('tenant', PanelHomeModule), panelAdmin('root', PanelHomeModule)] })
export class PanelModule {}

/** Mounts the panel at `/admin`. Call it before `app.init`, after the tenant middleware. */
export function mountPanel(app: NestExpressApplication): void {
  app.use(PANEL_PATH, app.get(PanelRouter).router);
}
