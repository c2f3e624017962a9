import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { SETTINGS, type Settings } from '#kernel';
import { DataSource } from 'typeorm';
import { AccessGuard } from './access/requests/access.js';
import { ApiKeyStrategy } from './access/requests/api-key.strategy.js';
import { ApiKey } from './access/keys/api-key.entity.js';
import { ApiKeysService } from './access/keys/api-keys.service.js';
import { DeviceKeysService } from './access/keys/device-keys.service.js';
import { BackupService } from './tenants/backup/backup.service.js';
import { RestoreService } from './tenants/backup/restore.service.js';
import { ScheduledBackups } from './tenants/backup/scheduled-backups.js';
import { BackgroundMigrations } from './database/migrating/background-migrations.js';
import { ScheduledTasks } from './database/scheduled/scheduled-tasks.js';
import { ControllerRoutes } from './access/requests/controller-routes.js';
import { CorsService } from './access/requests/cors.service.js';
import { KeyOriginsService } from './access/requests/key-origins.service.js';
import { Nodes } from './database/connections/nodes.js';
import { DatabaseClockService } from './database/transactions/database-clock.service.js';
import { DatabaseSignals } from './database/transactions/database-signals.js';
import { Domain } from './tenants/domains/domain.entity.js';
import { VenueContactService } from './tenants/tenants/venue-contact.service.js';
import { DomainsService } from './tenants/domains/domains.service.js';
import { IdempotentRequest } from './access/idempotency/idempotent-request.entity.js';
import { IdempotentRequestsService } from './access/idempotency/idempotent-requests.service.js';
import { OwnAccountService } from './people/account/own-account.service.js';
import { ProofsService } from './people/account/proofs.service.js';
import { PasswordLink } from './people/account/password-link.entity.js';
import { PasswordLinksService } from './people/account/password-links.service.js';
import { CodeGuessesService } from './people/attempts/code-guesses.service.js';
import { SignInAttemptsService } from './people/attempts/sign-in-attempts.service.js';
import { RecoveryCode } from './people/second-factor/recovery-code.entity.js';
import { SecondFactor } from './people/second-factor/second-factor.entity.js';
import { Passkey } from './people/passkeys/passkey.entity.js';
import { PasskeyUse } from './people/passkeys/passkey-use.entity.js';
import { PasskeyChallenges } from './people/passkeys/passkey-challenges.js';
import { PasskeysService } from './people/passkeys/passkeys.service.js';
import { FactorRule } from './people/grants/factor-rule.entity.js';
import { FactorResetsService } from './people/grants/factor-resets.service.js';
import { FactorRulesService } from './people/grants/factor-rules.service.js';
import { RecoveryCodesService } from './people/second-factor/recovery-codes.service.js';
import { SecondFactorService } from './people/second-factor/second-factor.service.js';
import { InstallationService } from './people/users/installation.service.js';
import { LeftoversService } from './tenants/maintenance/leftovers.service.js';
import { Migrator } from './database/migrating/migrator.js';
import { KnownBrowsers } from './people/sign-in/known-browsers.js';
import { PanelSession } from './people/panel-sessions/panel-session.entity.js';
import { Change } from './tenants/changes/change.entity.js';
import { ChangesService } from './tenants/changes/changes.service.js';
import { RetentionService } from './tenants/maintenance/retention.service.js';
import { HostLookUpsService } from './access/requests/host-look-ups.service.js';
import { RequestLimitsService } from './access/requests/request-limits.service.js';
import { SpareSchemasService } from './tenants/tenants/spare-schemas.service.js';
import { SessionsService } from './people/sessions/sessions.service.js';
import { SignInService } from './people/sign-in/sign-in.service.js';
import { SupportAct } from './people/support/support-act.entity.js';
import { SupportVisit } from './people/support/support-visit.entity.js';
import { SupportVisitsService } from './people/support/support-visits.service.js';
import { ServerHealthService } from './database/transactions/server-health.service.js';
import { UserChange } from './people/users/user-change.entity.js';
import { QuotasService } from './tenants/quotas/quotas.service.js';
import { TenantQuota, TenantUsage } from './tenants/quotas/tenant-quota.entity.js';
import { UserHistoryService } from './people/users/user-history.service.js';
import { TenantAdministrator } from './people/users/tenant-administrator.entity.js';
import { TenantDb } from './database/transactions/tenant-db.js';
import { Tenant } from './tenants/tenants/tenant.entity.js';
import { TenantChange } from './tenants/tenants/tenant-change.entity.js';
import { TenantFoundations } from './tenants/tenants/tenant-foundations.js';
import { TenantMiddleware } from './access/requests/tenant.middleware.js';
import { TenantsService } from './tenants/tenants/tenants.service.js';
import { User } from './people/users/user.entity.js';
import { TenantHoldings } from './tenants/tenants/tenant-holdings.js';
import { TenantLifeService } from './tenants/life/tenant-life.service.js';
import { TenantRemovalService } from './tenants/life/tenant-removal.service.js';
import { TenantHistoryService } from './tenants/tenants/tenant-history.service.js';
import { DatabaseServersService } from './tenants/moves/database-servers.service.js';
import { TenantMovesService } from './tenants/moves/tenant-moves.service.js';
import { SealedColumnsService } from './tenants/transfer/sealed-columns.service.js';
import { TenantExportService } from './tenants/transfer/tenant-export.service.js';
import { TenantImportService } from './tenants/transfer/import/tenant-import.service.js';
import { InvitationAcceptanceService } from './people/invitations/invitation-acceptance.service.js';
import { Invitation } from './people/invitations/invitation.entity.js';
import { InvitationsService } from './people/invitations/invitations.service.js';
import { GrantsService } from './people/grants/grants.service.js';
import { RoleGrant } from './people/grants/role-grant.entity.js';
import { VenueRole } from './people/grants/venue-role.entity.js';
import { VenueRolesService } from './people/grants/venue-roles.service.js';
import { UsersService } from './people/users/users.service.js';

export const tenancyEntities = [
  Tenant,
  TenantChange,
  Change,
  Domain,
  User,
  TenantAdministrator,
  VenueRole,
  RoleGrant,
  Invitation,
  ApiKey,
  IdempotentRequest,
  PanelSession,
  SupportVisit,
  SupportAct,
  UserChange,
  TenantQuota,
  TenantUsage,
  PasswordLink,
  SecondFactor,
  RecoveryCode,
  Passkey,
  PasskeyUse,
  FactorRule,
];

const services = [
  ControllerRoutes,
  TenantDb,
  DatabaseClockService,
  DatabaseSignals,
  Migrator,
  BackgroundMigrations,
  TenantFoundations,
  SpareSchemasService,
  ScheduledTasks,
  RetentionService,
  ChangesService,
  IdempotentRequestsService,
  TenantHistoryService,
  TenantHoldings,
  TenantsService,
  TenantLifeService,
  TenantRemovalService,
  TenantMovesService,
  DatabaseServersService,
  SealedColumnsService,
  TenantExportService,
  TenantImportService,
  BackupService,
  ScheduledBackups,
  RestoreService,
  DomainsService,
  VenueContactService,
  UsersService,
  GrantsService,
  VenueRolesService,
  SignInService,
  SessionsService,
  InvitationsService,
  InvitationAcceptanceService,
  SignInAttemptsService,
  CodeGuessesService,
  OwnAccountService,
  ProofsService,
  PasswordLinksService,
  SecondFactorService,
  RecoveryCodesService,
  FactorRulesService,
  FactorResetsService,
  PasskeyChallenges,
  PasskeysService,
  KnownBrowsers,
  ApiKeysService,
  ApiKeyStrategy,
  DeviceKeysService,
  RequestLimitsService,
  HostLookUpsService,
  KeyOriginsService,
  CorsService,
  InstallationService,
  LeftoversService,
  TenantMiddleware,
  SupportVisitsService,
  ServerHealthService,
  UserHistoryService,
  QuotasService,
];

/** The process opens the data sources; this module closes them last. */
@Module({})
export class TenancyModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly nodes: Nodes,
    private readonly tasks: ScheduledTasks,
    private readonly spares: SpareSchemasService,
    private readonly quotas: QuotasService,
    private readonly backups: ScheduledBackups,
  ) {}

  /** @param entities entities of all libs whose tables this process uses */
  static with(databaseUrl: string, entities: Parameters<typeof Nodes.open>[2]): DynamicModule {
    return {
      module: TenancyModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        {
          provide: Nodes,
          inject: [SETTINGS],
          useFactory: (settings: Settings) => Nodes.open(databaseUrl, settings, [...tenancyEntities, ...entities]),
        },
        { provide: DataSource, inject: [Nodes], useFactory: ({ home }: Nodes) => home.dataSource },
        ...services,
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: services,
    };
  }

  onModuleInit(): void {
    this.tasks.addForNode('make spare schemas', () => this.spares.fill());
    this.tasks.addForNode('prune use of quotas', () => this.quotas.prune());
    this.tasks.addForServer('back up the server', async () => void (await this.backups.writeDue()));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.nodes.close();
  }
}
