import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isVisible, RefusedInput, refuseUnfitText, SETTINGS, type Settings } from '#kernel';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import type { PanelUser } from '../sign-in/sign-in.service.js';
import { currentTenant, tenantUrl } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import type { SupportAct } from './support-act.entity.js';
import { texts } from '../../locales/tenancy.texts.js';

/** Lifetime of a token, in seconds; the browser uses it at once, after a redirect to the tenant's host. */
const tokenSeconds = 120;
const longestReason = 500;

/** The visit as stored in the panel session. */
export interface SupportSession {
  readonly visitId: string;
  readonly operator: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly endsAt: string;
}

/**
 * Visits of operators to the panels of tenants. A visit is requested in Root's panel and begins on the tenant's host. It is recorded and
 * ends after `SUPPORT_MINUTES`.
 */
@Injectable()
export class SupportVisitsService {
  constructor(
    private readonly db: TenantDb,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'supportMinutes' | 'publicScheme' | 'publicPortSuffix'>,
  ) {}

  /**
   * Requests a visit.
   * @returns the URL on the tenant's host that begins the visit; its token works once, within two minutes
   * @throws RefusedInput on `reason`; on `tenant` when the tenant's panel cannot be used
   */
  async begin(tenantId: string, user: PanelUser, reason: string): Promise<string> {
    refuseUnfitText('reason', reason, longestReason);
    if (!isVisible(reason)) {
      throw new RefusedInput('reason', texts.localized('supportVisits.reasonMissing'));
    }
    const token = randomBytes(32).toString('base64url');
    // On the node of the tenant, where the token is used.
    const ask = async (tx: Tx): Promise<string> => {
      const { slug, host } = await panelTargetOf(tx, tenantId);
      const asked = await tx.query<unknown[]>(
        `insert into shared.support_visit (tenant_id, user_id, operator, reason, token_hash, token_expires_at, version)
         select $1, u.id, case when u.name in ('', u.email) then u.email else u.name || ' <' || u.email || '>' end, $3, $4,
           (select now() + make_interval(secs => ${tokenSeconds})), u.session_version
         from shared.user_account u where u.id = $2 and u.is_super_user returning id`,
        [tenantId, user.id, reason.trim(), hashOf(token)],
      );
      if (asked.length === 0) throw new RefusedInput('tenant', notAllowed);
      await this.history.record(tx, { tenantId, slug, action: 'support_asked', reason: reason.trim() });
      return tenantUrl(this.settings, { host }, `/admin/support?token=${token}`);
    };
    return this.db.onNodeOf(tenantId, () => this.db.shared(ask));
  }

  /**
   * Begins a visit with a token of the current tenant. One statement decides, so that of concurrent calls exactly one succeeds.
   * @returns undefined when the token is unknown, used, expired or of another tenant, or when the operator lost the right
   */
  async enter(token: string): Promise<{ user: PanelUser; support: SupportSession } | undefined> {
    const { id: tenantId, slug } = currentTenant();
    return this.db.shared(async (tx) => {
      const [rows] = await tx.query<[EnteredRow[], number]>(enterSql, [hashOf(token), tenantId, this.settings.supportMinutes]);
      const [row] = rows;
      if (!row) return undefined;
      const { visitId, operator, reason, endsAt, ...user } = row;
      await this.history.record(tx, { tenantId, slug, action: 'support_entered', reason, actor: user.email });
      return { user, support: { visitId, operator, reason, endsAt: endsAt.toISOString() } };
    });
  }

  /** Records that the operator ended the visit. */
  async leave(visitId: string): Promise<void> {
    await this.db.sharedStatement(leaveStatement, [visitId]);
  }

  /** Records an act before it is done. A repeated page view is recorded once. */
  async record(visitId: string, act: Pick<SupportAct, 'kind' | 'resource' | 'record' | 'action' | 'fields'>): Promise<void> {
    const values = [visitId, act.kind, act.resource, act.record, act.action, act.fields];
    await this.db.sharedStatement(recordStatement, values);
  }
}

interface EnteredRow extends PanelUser {
  readonly visitId: string;
  readonly operator: string;
  readonly reason: string;
  readonly endsAt: Date;
}

const notAllowed = texts.localized('supportVisits.notAllowed');

async function panelTargetOf(tx: Tx, tenantId: string): Promise<{ slug: string; host: string }> {
  const [tenant] = await tx.query<{ slug: string; host: string | null; isOpen: boolean }[]>(
    `select t.slug, d.host, t.category <> 'R' and t.state <> 'deleting' as "isOpen" from shared.tenant t
     left join shared.domain d on d.tenant_id = t.id and d.is_primary where t.id = $1`,
    [tenantId],
  );
  if (!tenant?.isOpen || tenant.host === null) {
    throw new RefusedInput('tenant', texts.localized('supportVisits.noPanel'));
  }
  return { slug: tenant.slug, host: tenant.host };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** $1 hash of the token · $2 tenant · $3 minutes. */
const enterSql = `
  update shared.support_visit v set token_hash = null, entered_at = (select now()), ends_at = (select now() + make_interval(mins => $3))
  from shared.user_account u
  where v.token_hash = $1 and v.tenant_id = $2 and v.entered_at is null and v.token_expires_at > (select now())
    and u.id = v.user_id and u.is_super_user and u.session_version = v.version
  returning v.id as "visitId", v.operator, v.reason, v.ends_at as "endsAt", u.id, u.email, u.name, u.is_super_user as "isSuperUser",
    u.session_version as "sessionVersion"`;

const leaveStatement = {
  name: 'support-leave',
  text: `update shared.support_visit set left_at = (select now()) where id = $1 and left_at is null and ends_at > (select now())`,
};

const recordStatement = {
  name: 'support-record',
  text: `insert into shared.support_act (visit_id, kind, resource, record, action, fields) values ($1, $2, $3, $4, $5, $6)
    on conflict (visit_id, resource, record, action) where kind = 'looked' do nothing`,
};
