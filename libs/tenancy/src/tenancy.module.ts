import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { SETTINGS, type Settings } from '#kernel';
import { DataSource } from 'typeorm';
import { AccessGuard } from './access/access.js';
import { ApiKeyStrategy } from './access/api-key.strategy.js';
import { ApiKey } from './keys/api-key.entity.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { DeviceKeysService } from './keys/device-keys.service.js';
import { BackupService } from './backup/backup.service.js';
import { RestoreService } from './backup/restore.service.js';
import { ScheduledBackups } from './backup/scheduled-backups.js';
import { BackgroundMigrations } from './migrating/background-migrations.js';
import { ScheduledTasks } from './scheduled/scheduled-tasks.js';
import { ControllerRoutes } from './access/controller-routes.js';
import { CorsService } from './access/cors.service.js';
import { KeyOriginsService } from './access/key-origins.service.js';
import { createDataSource } from './connections/database.js';
import { DatabaseClockService } from './database/database-clock.service.js';
import { DatabaseSignals } from './database/database-signals.js';
import { Domain } from './domains/domain.entity.js';
import { VenueContactService } from './tenants/venue-contact.service.js';
import { DomainsService } from './domains/domains.service.js';
import { IdempotentRequest } from './idempotency/idempotent-request.entity.js';
import { IdempotentRequestsService } from './idempotency/idempotent-requests.service.js';
import { InstallationService } from './maintenance/installation.service.js';
import { LeftoversService } from './maintenance/leftovers.service.js';
import { Migrator } from './migrating/migrator.js';
import { KnownBrowsers } from './sign-in/known-browsers.js';
import { PanelSession } from './panel-sessions/panel-session.entity.js';
import { RetentionService } from './maintenance/retention.service.js';
import { HostLookUpsService } from './access/host-look-ups.service.js';
import { RequestLimitsService } from './access/request-limits.service.js';
import { SpareSchemasService } from './tenants/spare-schemas.service.js';
import { SessionsService } from './sign-in/sessions.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SupportAct } from './support/support-act.entity.js';
import { SupportVisit } from './support/support-visit.entity.js';
import { SupportVisitsService } from './support/support-visits.service.js';
import { ServerHealthService } from './database/server-health.service.js';
import { UserChange } from './people/user-change.entity.js';
import { QuotasService } from './quotas/quotas.service.js';
import { TenantQuota, TenantUsage } from './quotas/tenant-quota.entity.js';
import { UserHistoryService } from './people/user-history.service.js';
import { TenantAdministrator } from './people/tenant-administrator.entity.js';
import { TenantDb } from './database/tenant-db.js';
import { Tenant } from './tenants/tenant.entity.js';
import { TenantChange } from './tenants/tenant-change.entity.js';
import { TenantFoundations } from './tenants/tenant-foundations.js';
import { TenantMiddleware } from './access/tenant.middleware.js';
import { TenantsService } from './tenants/tenants.service.js';
import { User } from './people/user.entity.js';
import { TenantHoldings } from './tenants/tenant-holdings.js';
import { TenantLifeService } from './life/tenant-life.service.js';
import { TenantRemovalService } from './life/tenant-removal.service.js';
import { TenantHistoryService } from './tenants/tenant-history.service.js';
import { SealedColumnsService } from './transfer/sealed-columns.service.js';
import { TenantExportService } from './transfer/tenant-export.service.js';
import { TenantImportService } from './transfer/import/tenant-import.service.js';
import { UsersService } from './people/users.service.js';

export const tenancyEntities = [
  Tenant,
  TenantChange,
  Domain,
  User,
  TenantAdministrator,
  ApiKey,
  IdempotentRequest,
  PanelSession,
  SupportVisit,
  SupportAct,
  UserChange,
  TenantQuota,
  TenantUsage,
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
  IdempotentRequestsService,
  TenantHistoryService,
  TenantHoldings,
  TenantsService,
  TenantLifeService,
  TenantRemovalService,
  SealedColumnsService,
  TenantExportService,
  TenantImportService,
  BackupService,
  ScheduledBackups,
  RestoreService,
  DomainsService,
  VenueContactService,
  UsersService,
  SignInService,
  SessionsService,
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

/** The process opens the data source; this module closes it last. */
@Module({})
export class TenancyModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: ScheduledTasks,
    private readonly spares: SpareSchemasService,
    private readonly quotas: QuotasService,
    private readonly backups: ScheduledBackups,
  ) {}

  /** @param entities entities of all libs whose tables this process uses */
  static with(databaseUrl: string, entities: Parameters<typeof createDataSource>[2]): DynamicModule {
    return {
      module: TenancyModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        {
          provide: DataSource,
          inject: [SETTINGS],
          useFactory: (settings: Settings) => createDataSource(databaseUrl, settings, [...tenancyEntities, ...entities]).initialize(),
        },
        ...services,
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: services,
    };
  }

  onModuleInit(): void {
    this.tasks.addForServer('make spare schemas', () => this.spares.fill());
    this.tasks.addForServer('prune use of quotas', () => this.quotas.prune());
    this.tasks.addForServer('back up the server', async () => void (await this.backups.writeDue()));
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
