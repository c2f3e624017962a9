import type { Language } from '#kernel';
import { grantOfRow, type GrantRow } from '../roles/grant-rows.js';
import type { NewGrant } from '../grants/grants.service.js';
import type { Grant } from '../roles/grant.js';

/** An invitation that nobody has accepted yet. */
export interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly grant: Grant;
  /** Name of the venue's own role. */
  readonly roleName: string | null;
  /** A line of who invites. */
  readonly note: string | null;
  readonly invitedBy: string | null;
  /** Name of who invites; null: the operator. */
  readonly inviter: string | null;
  readonly askedAt: Date;
  /** The link works until then; null: the mail was not sent yet. */
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
  /** The account with the address. */
  readonly userId: string | null;
  readonly userName: string | null;
  /** The language that the person chose. */
  readonly language: Language | null;
}

type Row = GrantRow & Omit<OpenInvitation, 'grant'> & Record<string, unknown>;

/** SQL: the open invitations of tenant `$1`. A condition may follow. */
export const openInvitationsSql = `select i.id, i.email, i.note, i.invited_by as "invitedBy", b.name as inviter, i.asked_at as "askedAt",
    i.expires_at as "expiresAt", coalesce(i.expires_at <= statement_timestamp(), false) as "isExpired", u.id as "userId",
    u.name as "userName", u.language, r.name as "roleName", i.role, i.role_id as "roleId", r.levels, i.scope, i.event_ids as "eventIds",
    i.kinds, i.ends_at as "endsAt", true as "isActive"
  from shared.invitation i left join shared.user_account u on u.email = i.email left join shared.user_account b on b.id = i.invited_by
    left join shared.venue_role r on r.id = i.role_id and r.tenant_id = i.tenant_id
  where i.tenant_id = $1 and i.closed_at is null`;

export function invitationOf(row: Row): OpenInvitation {
  const { id, email, note, invitedBy, inviter, askedAt, expiresAt, isExpired, userId, userName, language, roleName } = row;
  const grant = grantOfRow(row);
  return { id, email, grant, roleName, note, invitedBy, inviter, askedAt, expiresAt, isExpired, userId, userName, language };
}

/** The columns of the right of an invitation, as a change returns them. */
export const rightColumnsSql = `role, role_id as "roleId", scope, event_ids as "eventIds", kinds, ends_at as "endsAt"`;

export type RightRow = Pick<GrantRow, 'role' | 'roleId' | 'scope' | 'eventIds' | 'kinds' | 'endsAt'>;

/** The right of an invitation as it was given. */
export function rightOfRow(row: RightRow): NewGrant {
  const { role, roleId, scope } = grantOfRow({ ...row, levels: null, isActive: true });
  return { role: roleId ?? role, scope, ...(row.endsAt && { endsAt: row.endsAt }) };
}
