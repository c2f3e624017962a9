import { createHash, randomBytes } from 'node:crypto';
import { isUuid, RefusedInput, refuseUnfitTexts, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { GrantsService, listsOf, type NewGrant } from '../grants/grants.service.js';
import { isPreset } from '../roles/presets.js';
import { normalizeEmail } from '../users/users.service.js';
import { invitationOf, openInvitationsSql, rightColumnsSql, rightOfRow, type OpenInvitation, type RightRow } from './invitation-rows.js';

/** Days for which an invitation can be accepted after its mail was sent. */
export const invitationDays = 7;

/** The page in the panel of the tenant. */
export const invitationPath = (token: string): string => `/admin/invitation/${token}`;

/** Maximum length of what who invites writes. */
export const invitationTexts = { note: 300 };

/** Open invitations of a tenant; mails within about a day: of a tenant, of a tenant to one address, of the server to one address. */
const most = { open: 200, tenant: 100, addressHere: 5, address: 10 } as const;

/** What an invitation offers. */
export interface NewInvitation {
  readonly right: NewGrant;
  /** A line of who invites. */
  readonly note?: string | undefined;
}

/** Invites people to the panel of the current tenant. */
@Injectable()
export class InvitationsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly grants: GrantsService,
    private readonly history: TenantHistoryService,
    private readonly tasks: ScheduledTasks,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'changeDays'>,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget invitations', () => this.forgetOld());
  }

  /** Closes those that nobody accepted, and forgets addresses when the record of changes forgets its values. */
  private async forgetOld(): Promise<void> {
    const { id } = currentTenant();
    const { changeDays } = this.settings;
    await this.db.sharedStatement(closeOldStatement, [id]);
    if (changeDays > 0) await this.db.sharedStatement(pruneStatement, [id, changeDays]);
  }

  /** Invitations that nobody has accepted yet, also expired ones, the newest first. */
  async list(): Promise<OpenInvitation[]> {
    return (await this.db.sharedStatement<InvitationRow>(listStatement, [currentTenant().id])).map(invitationOf);
  }

  /** The open invitation whose link has this token; undefined: it was used, taken back, replaced by a later link, or has expired. */
  async open(token: string): Promise<OpenInvitation | undefined> {
    if (!isToken(token)) return undefined;
    const [row] = await this.db.sharedStatement<InvitationRow>(tokenStatement, [currentTenant().id, hashOf(token)]);
    return row && invitationOf(row);
  }

  /**
   * Invites the person with an e-mail address. The mail is sent by who has the transaction.
   * @param by who invites, and may give no more than the own right; undefined: the operator
   * @returns id of the invitation
   * @throws RefusedInput on `email`, `note`, `role`, `scope` or `endsAt`
   */
  async inviteIn(tx: Tx, email: string, { right, note = '' }: NewInvitation, by: string | undefined): Promise<string> {
    const address = normalizeEmail(email);
    refuseUnfitTexts({ note }, invitationTexts);
    const { id: tenantId } = currentTenant();
    await this.grants.judgeIn(tx, address, right, by);
    await refuseTooMany(tx, address, true);
    const [row] = await tx.query<{ id: string }[]>(
      `insert into shared.invitation (tenant_id, email, role, role_id, scope, event_ids, kinds, ends_at, note, invited_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (tenant_id, email) where closed_at is null do nothing returning id`,
      [tenantId, address, ...columnsOf(right), note.trim() || null, by ?? null],
    );
    if (!row) throw new RefusedInput('email', texts.localized('invitations.refused.alreadyInvited'));
    await this.record(tx, 'invited', row.id, right);
    return row.id;
  }

  /**
   * Changes what an invitation offers, in place of which another mail is sent: the earlier link works no more. When nothing changes, it
   * stays
   * that of who invited, unless that person may give it no more.
   * @param change undefined: nothing changes, the mail is sent again
   * @param by who does it; who changes it stands in for who invited: that right is judged at the acceptance from now on
   * @returns false when there is no such open invitation @throws RefusedInput as `inviteIn`
   */
  async renewIn(tx: Tx, id: string, change: NewInvitation | undefined, by: string | undefined): Promise<boolean> {
    const { note = '' } = change ?? {};
    refuseUnfitTexts({ note }, invitationTexts);
    const present = await this.lock(tx, id, by);
    if (!present) return false;
    const { email } = present;
    const right = change?.right ?? present.right;
    await this.grants.judgeIn(tx, email, right, by);
    await refuseTooMany(tx, email, false);
    const stays = change === undefined && (await this.mayGive(tx, email, right, present.invitedBy ?? undefined));
    // A line stays with its author.
    const [author, line] = stays ? [present.invitedBy, present.note] : [by ?? null, note.trim() || null];
    await tx.query(
      `update shared.invitation set role = $2, role_id = $3, scope = $4, event_ids = $5, kinds = $6, ends_at = $7,
         note = $8, invited_by = $9, token_hash = null, expires_at = null,
         mails = case when asked_at < (select now() - interval '1 day') then 1 else mails + 1 end, asked_at = (select now())
       where id = $1`,
      [id, ...columnsOf(right), line, author],
    );
    await this.record(tx, change ? 'invitation_changed' : 'invitation_sent_again', id, right);
    return true;
  }

  /**
   * Takes an invitation back: its link works no more.
   * @returns false when there is no such open invitation @throws RefusedInput on `role` when `by` may not give the right
   */
  withdraw(id: string, by: string | undefined): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.shared(async (tx) => {
        const present = await this.lock(tx, id, by);
        if (!present) return false;
        await tx.query('update shared.invitation set closed_at = (select now()) where id = $1', [id]);
        await this.record(tx, 'invitation_withdrawn', id, present.right);
        return true;
      }),
    );
  }

  /** The open invitation of an address; undefined: there is none. */
  async idOf(email: string): Promise<string | undefined> {
    return (await this.list()).find((one) => one.email === email.trim().toLowerCase())?.id;
  }

  /**
   * Makes the token of the link, which is stored nowhere. A repeated call makes another one, and the earlier one no longer works.
   * @returns undefined when the invitation is not open any more
   */
  async arm(id: string): Promise<{ readonly invitation: OpenInvitation; readonly token: string } | undefined> {
    const { id: tenantId } = currentTenant();
    const token = randomBytes(32).toString('base64url');
    const armed = await this.db.sharedStatement(armStatement, [id, tenantId, hashOf(token), invitationDays]);
    if (armed.length === 0) return undefined;
    const [row] = await this.db.sharedStatement<InvitationRow>(tokenStatement, [tenantId, hashOf(token)]);
    return row && { invitation: invitationOf(row), token };
  }

  /**
   * Closes an open invitation, once: of concurrent calls, and of one that takes it back, one succeeds.
   * @returns its right and who invited; undefined when it is not open
   */
  async closeIn(tx: Tx, token: string): Promise<{ right: NewGrant; invitedBy: string | null } | undefined> {
    const [[row]] = await tx.query<[(RightRow & { id: string; invitedBy: string | null })[], number]>(
      `update shared.invitation set closed_at = (select now())
       where token_hash = $1 and tenant_id = $2 and closed_at is null and expires_at > (select statement_timestamp())
       returning id, invited_by as "invitedBy", ${rightColumnsSql}`,
      [hashOf(token), currentTenant().id],
    );
    if (!row) return undefined;
    const right = rightOfRow(row);
    await this.record(tx, 'invitation_accepted', row.id, right);
    return { right, invitedBy: row.invitedBy };
  }

  /** Forgets all invitations to an address, for an erasure: a link works no more, and the record of changes has lost the address. */
  async forgetIn(tx: Tx, email: string): Promise<void> {
    await tx.query('delete from shared.invitation where tenant_id = $1 and email = lower($2)', [currentTenant().id, email]);
  }

  /** Whether somebody may still give a right. */
  private async mayGive(tx: Tx, email: string, right: NewGrant, by: string | undefined): Promise<boolean> {
    try {
      await this.grants.judgeIn(tx, email, right, by);
      return true;
    } catch (error) {
      if (error instanceof RefusedInput) return false;
      throw error;
    }
  }

  /** Locks an open invitation that `by` may give. */
  private async lock(tx: Tx, id: string, by: string | undefined): Promise<PresentInvitation | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await tx.query<(RightRow & Omit<PresentInvitation, 'right'>)[]>(
      `select email, note, invited_by as "invitedBy", ${rightColumnsSql} from shared.invitation
       where id = $1 and tenant_id = $2 and closed_at is null for update`,
      [id, currentTenant().id],
    );
    if (!row) return undefined;
    const right = rightOfRow(row);
    await this.grants.refuseMoreIn(tx, right, by);
    const { email, note, invitedBy } = row;
    return { email, note, invitedBy, right };
  }

  /** Names the invitation, not the address, so that the record knows no more when the invitation is forgotten. */
  private record(tx: Tx, action: string, invitation: string, { role, scope = { kind: 'all' } }: NewGrant): Promise<void> {
    const { id: tenantId, slug } = currentTenant();
    return this.history.record(tx, { tenantId, slug, action, details: { role, scope: scope.kind, invitation } });
  }
}

interface PresentInvitation {
  readonly email: string;
  readonly note: string | null;
  /** null: the operator. */
  readonly invitedBy: string | null;
  readonly right: NewGrant;
}

type InvitationRow = Parameters<typeof invitationOf>[0];

/** Checked before hashing, because anything may be in an address. */
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Role, its id, scope, events, kinds and end. */
function columnsOf({ role, scope = { kind: 'all' }, endsAt }: NewGrant): unknown[] {
  const { eventIds, kinds } = listsOf(scope);
  return [...(isPreset(role) ? [role, null] : ['own', role]), scope.kind, eventIds, kinds, endsAt ?? null];
}

/**
 * Refuses a mail that would be one too many. Who invites waits for others who invite, so that simultaneous ones cannot exceed the limits
 * together. On several database servers, the mails to an address are counted on each.
 * @throws RefusedInput on `email`
 */
async function refuseTooMany(tx: Tx, email: string, isNew: boolean): Promise<void> {
  const { id: tenantId } = currentTenant();
  for (const subject of [tenantId, email]) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`invitations of ${subject}`]);
  }
  const [counted] = await tx.query<{ open: number; tenant: number; here: number; address: number }[]>(countSql, [tenantId, email]);
  const { open = 0, tenant = 0, here = 0, address = 0 } = counted ?? {};
  if (isNew && open >= most.open) throw new RefusedInput('email', texts.localized('invitations.refused.tooManyOpen', { most: most.open }));
  if (tenant >= most.tenant || here >= most.addressHere || address >= most.address) {
    throw new RefusedInput('email', texts.localized('invitations.refused.tooManyMails'));
  }
}

/** $1: tenant, $2: address. */
const countSql = `select count(*) filter (where tenant_id = $1 and closed_at is null)::int as open,
    coalesce(sum(mails) filter (where tenant_id = $1 and is_late), 0)::int as tenant,
    coalesce(sum(mails) filter (where tenant_id = $1 and email = $2 and is_late), 0)::int as here,
    coalesce(sum(mails) filter (where email = $2 and is_late), 0)::int as address
  from (select *, asked_at > (select now() - interval '1 day') as is_late from shared.invitation where tenant_id = $1 or email = $2) i`;

const listStatement = { name: 'invitation-list', text: `${openInvitationsSql} order by i.asked_at desc, i.id limit ${most.open}` };

const tokenStatement = {
  name: 'invitation-by-token',
  text: `${openInvitationsSql} and i.token_hash = $2 and i.expires_at > statement_timestamp()`,
};

const armStatement = {
  name: 'invitation-arm',
  text: `update shared.invitation set token_hash = $3, expires_at = (select statement_timestamp() + make_interval(days => $4))
    where id = $1 and tenant_id = $2 and closed_at is null returning id`,
};

/** What closed ones offered is forgotten after a day; the address stays, because the record of changes names the invitation. */
const closeOldStatement = {
  name: 'invitation-close-old',
  text: `update shared.invitation set closed_at = coalesce(closed_at, (select now())), note = null, token_hash = null
    where tenant_id = $1 and (closed_at is null and coalesce(expires_at, asked_at) < (select now() - interval '30 days')
      or closed_at is not null and (note is not null or token_hash is not null) and asked_at < (select now() - interval '1 day'))`,
};
const pruneStatement = {
  name: 'invitation-prune',
  text: `delete from shared.invitation where tenant_id = $1 and closed_at is not null
    and asked_at < (select now() - make_interval(days => $2::integer))`,
};
