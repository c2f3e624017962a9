export type { AccessRule } from './access/requests/access-rule.js';
export * from './access/requests/access.decorator.js';
export { HostLookUpsService, DistantClient } from './access/requests/host-look-ups.service.js';
export { Caller, AccessRuleMissingError, demandScope } from './access/requests/access.js';
export * from './access/requests/controller-routes.js';
export { AnyOrigin } from './access/requests/cors-routes.js';
export { BackupService } from './tenants/backup/backup.service.js';
export { readBackup, readBackupHeader } from './tenants/backup/backup-file.js';
export type { BackupHeader } from './tenants/backup/backup-format.js';
export { RestoreService } from './tenants/backup/restore.service.js';
export { ScheduledBackups } from './tenants/backup/scheduled-backups.js';
export { CorsService } from './access/requests/cors.service.js';
export { RequestLimitsService } from './access/requests/request-limits.service.js';
export * from './access/keys/api-key.entity.js';
export { hashSecret, secretFits } from './access/keys/api-key-format.js';
export { scopeNouns, type ScopeNoun, type Scope, allScopes, parseScopes } from './people/roles/api-key-scopes.js';
export { type Principal, type DeviceRefusals, ApiKeysService } from './access/keys/api-keys.service.js';
export { keyIsUsable } from './database/context/key-state.js';
export { DeviceKeysService } from './access/keys/device-keys.service.js';
export { BackgroundMigrations } from './database/migrating/background-migrations.js';
export { isStartError } from './database/migrating/start-errors.js';
export { ScheduledTasks } from './database/scheduled/scheduled-tasks.js';
export { startErrorOf } from './database/connections/database.js';
export { columnName } from './database/connections/naming.js';
export * from './database/transactions/database-signals.js';
export * from './tenants/domains/domain.entity.js';
export * from './tenants/domains/domains.service.js';
export { actingPerson } from './database/context/acting-person.js';
export { FirstMetaOnly } from './database/context/first-meta.js';
export { honoursIdempotencyKey } from './access/idempotency/idempotency-key.js';
export { IdempotentRequestsService } from './access/idempotency/idempotent-requests.service.js';
export * from './people/users/installation.service.js';
export { nodeTables, referenceTables } from './migrations/shared-tables.js';
export { clockId } from './migrations/clock-id.js';
export { recordedTables, secretColumns, unrecordedColumns } from './migrations/index.js';
export { latestShared, latestTenant, requiredTenant, sharedMigrations, tenantMigrations } from './migrations/index.js';
export { asciiHost, unicodeHost } from './database/context/host-names.js';
export { peopleNames, TenantHistoryService } from './tenants/tenants/tenant-history.service.js';
export { CategoryRefused, stateNames } from './tenants/tenants/life-refusals.js';
export { quotaKinds, type GivenQuotas, type QuotaKind } from './tenants/quotas/quota-rules.js';
export { QuotasService, secondsToTomorrow, type QuotaState } from './tenants/quotas/quotas.service.js';
export { TenantHoldings } from './tenants/tenants/tenant-holdings.js';
export { mayAct, TenantLifeService, type LifeAct } from './tenants/life/tenant-life.service.js';
export { DatabaseServersService } from './tenants/moves/database-servers.service.js';
export { TenantMovesService, type MoveStep } from './tenants/moves/tenant-moves.service.js';
export { TenantRemovalService } from './tenants/life/tenant-removal.service.js';
export { refusesChanges } from './database/context/state-answers.js';
export * from './database/context/tenant-states.js';
export { LeftoversService } from './tenants/maintenance/leftovers.service.js';
export { type MigrationReport, NewerSchemaError, Migrator } from './database/migrating/migrator.js';
export * from './database/connections/open-database.js';
export { maximumPasswordLength, minimumPasswordLength } from './passwords/passwords.js';
export { SessionReplaced } from './people/panel-sessions/panel-session-store.js';
export * from './people/panel-sessions/panel-session.js';
export { OwnAccountService, type OwnAccount, type OwnSession } from './people/account/own-account.service.js';
export {
  PasswordLinksService,
  passwordLinkMinutes,
  passwordLinkPath,
  type ChosenPassword,
  type OpenedPasswordLink,
} from './people/account/password-links.service.js';
export {
  InvitationsService,
  invitationDays,
  invitationPath,
  invitationTexts,
  type NewInvitation,
} from './people/invitations/invitations.service.js';
export { type OpenInvitation } from './people/invitations/invitation-rows.js';
export { Invitation } from './people/invitations/invitation.entity.js';
export { InvitationAcceptanceService, type Acceptance, type NewPerson } from './people/invitations/invitation-acceptance.service.js';
export { type GuessResult, type WrongGuess } from './people/attempts/sign-in-attempts.service.js';
export { CodeGuessesService } from './people/attempts/code-guesses.service.js';
export { SecondFactorService, type FactorKey, type FactorState } from './people/second-factor/second-factor.service.js';
export { FactorResetsService, factorResetHours, openFactorResetSql } from './people/grants/factor-resets.service.js';
export { FactorRulesService } from './people/grants/factor-rules.service.js';
export { hasFactorSql } from './people/second-factor/recovery-codes.service.js';
export { PasskeysService, type OwnPasskey, type PasskeyAnswer, type PasskeyQuestion } from './people/passkeys/passkeys.service.js';
export type { PasskeySite } from './people/passkeys/webauthn.js';
export { sessionKey } from './people/sessions/session-key.js';
export { ProofsService } from './people/account/proofs.service.js';
export { SessionsService } from './people/sessions/sessions.service.js';
export { knownBrowserDays } from './people/sign-in/known-browsers.js';
export { Change, type ChangeActor, type ChangeEntry } from './tenants/changes/change.entity.js';
export {
  ChangesService,
  eraseRecorded,
  forgetRecorded,
  type BrokenChange,
  type VerifiedChanges,
} from './tenants/changes/changes.service.js';
export { RetentionService } from './tenants/maintenance/retention.service.js';
export { isReservedName } from './database/context/reserved-names.js';
export { inOrder } from './database/connections/in-order.js';
export { queryPrepared, queryTogether, type PreparedStatement, type SentStatement } from './database/transactions/prepared-query.js';
export * from './database/transactions/rows-by-id.js';
export { RowsTogether } from './database/transactions/rows-together.js';
export * from './people/sign-in/sign-in.service.js';
export { ServerHealthService } from './database/transactions/server-health.service.js';
export { UserHistoryService } from './people/users/user-history.service.js';
export * from './people/support/support-act.entity.js';
export * from './people/support/support-visit.entity.js';
export { SupportVisitsService, type SupportSession } from './people/support/support-visits.service.js';
export { TenancyModule } from './tenancy.module.js';
export * from './people/users/tenant-administrator.entity.js';
export { type CategoryCode, type TenantModule, categories, categoryHas, isCategory } from './database/context/tenant-categories.js';
export { NeedsModule, hasModule, demandModule } from './database/context/tenant-modules.js';
export {
  currentTenant,
  NoTenantError,
  runInTenant,
  sameNode,
  tenantUrl,
  type SameNode,
  type TenantIdentity,
} from './database/context/tenant-context.js';
export * from './database/transactions/tenant-db.js';
export * from './tenants/tenants/tenant.entity.js';
export * from './tenants/tenants/spare-schemas.service.js';
export * from './tenants/tenants/tenant-foundations.js';
export * from './access/requests/tenant.middleware.js';
export { isTimeZone } from './tenants/tenants/tenant-rules.js';
export { ArchiveReader } from './tenants/transfer/archive/archive-reader.js';
export { readHeader, verifyExport, type TransferProgress } from './tenants/transfer/export-file.js';
export { SealedColumnsService } from './tenants/transfer/sealed-columns.service.js';
export { sharedStreams, sharedTablesThatStay, tablesThatStay } from './tenants/transfer/format/shared-streams.js';
export { TenantExportService, type ExportReport } from './tenants/transfer/tenant-export.service.js';
export { TenantImportService, type ImportReport } from './tenants/transfer/import/tenant-import.service.js';
export { TransferError } from './tenants/transfer/format/transfer-error.js';
export { rowsIn, type ExportHeader, type ExportManifest } from './tenants/transfer/format/transfer-format.js';
export type { NewTenant } from './tenants/tenants/new-tenant.js';
export * from './tenants/tenants/tenants.service.js';
export { inside, type ReadingIn, type Tx } from './database/transactions/tx.js';
export * from './people/users/user.entity.js';
export { RoleGrant } from './people/grants/role-grant.entity.js';
export { VenueRole } from './people/grants/venue-role.entity.js';
export { GrantsService, type NewGrant } from './people/grants/grants.service.js';
export { VenueRolesService } from './people/grants/venue-roles.service.js';
export { fullGrant, grantAllows, type Grant } from './people/roles/grant.js';
export {
  isWithin,
  levelWords,
  nounWords,
  permissionNouns,
  permissions,
  type Permission,
  type PermissionLevels,
} from './people/roles/permissions.js';
export { isPreset, presetNames, presets, presetWords } from './people/roles/presets.js';
export { UsersService } from './people/users/users.service.js';
export { VenueContactService } from './tenants/tenants/venue-contact.service.js';
export { AbortedTransactionError } from './database/connections/transaction-runner.js';
