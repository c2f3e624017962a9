import type { Migration } from './migration.js';
import { sharedFoundation } from './shared-001-foundation.js';
import { sharedOutbox } from './shared-002-outbox.js';
import { sharedJobs } from './shared-003-jobs.js';
import { sharedPaymentGuard } from './shared-004-payment-guard.js';
import { sharedPanelSessions } from './shared-005-panel-sessions.js';
import { sharedRetention } from './shared-006-retention.js';
import { sharedRequiredVersions } from './shared-007-required-versions.js';
import { sharedKeyOrigins } from './shared-008-key-origins.js';
import { sharedTenantLife } from './shared-009-tenant-life.js';
import { sharedPlaces } from './shared-010-places.js';
import { sharedFederation } from './shared-011-federation.js';
import { sharedCards } from './shared-012-cards.js';
import { sharedSupport } from './shared-013-support.js';
import { sharedPlaceRequests } from './shared-014-place-requests.js';
import { sharedSpareSchemas } from './shared-015-spare-schemas.js';
import { sharedUserChanges } from './shared-016-user-changes.js';
import { sharedEventSubtitle } from './shared-017-event-subtitle.js';
import { sharedAlteredEvents } from './shared-018-altered-events.js';
import { sharedTenantQuotas } from './shared-019-tenant-quotas.js';
import { sharedBackups } from './shared-020-backups.js';
import { sharedPlaceApprovals } from './shared-021-place-approvals.js';
import { sharedEntry } from './shared-022-entry.js';
import { sharedEventFacts } from './shared-023-event-facts.js';
import { sharedFirstSteps } from './shared-024-first-steps.js';
import { sharedOwnAccounts } from './shared-025-own-accounts.js';
import { sharedPasswordLinkPurposes } from './shared-026-password-link-purposes.js';
import { sharedNodes } from './shared-027-nodes.js';
import { sharedRoles } from './shared-028-roles.js';
import { sharedTenantMoves } from './shared-029-tenant-moves.js';
import { sharedChanges } from './shared-030-changes.js';
import { sharedInvitations } from './shared-031-invitations.js';
import { sharedPasskeys } from './shared-032-passkeys.js';
import { sharedInvitationIndex } from './shared-033-invitation-index.js';
import { sharedNetworkCards } from './shared-034-network-cards.js';

/** Migrations of the shared schema, in order. */
export const sharedMigrations: readonly Migration[] = [
  sharedFoundation,
  sharedOutbox,
  sharedJobs,
  sharedPaymentGuard,
  sharedPanelSessions,
  sharedRetention,
  sharedRequiredVersions,
  sharedKeyOrigins,
  sharedTenantLife,
  sharedPlaces,
  sharedFederation,
  sharedCards,
  sharedSupport,
  sharedPlaceRequests,
  sharedSpareSchemas,
  sharedUserChanges,
  sharedEventSubtitle,
  sharedAlteredEvents,
  sharedTenantQuotas,
  sharedBackups,
  sharedPlaceApprovals,
  sharedEntry,
  sharedEventFacts,
  sharedFirstSteps,
  sharedOwnAccounts,
  sharedPasswordLinkPurposes,
  sharedNodes,
  sharedRoles,
  sharedTenantMoves,
  sharedChanges,
  sharedInvitations,
  sharedPasskeys,
  sharedInvitationIndex,
  sharedNetworkCards,
];
