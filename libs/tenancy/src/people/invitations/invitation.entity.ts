import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { RoleGrant } from '../grants/role-grant.entity.js';

/** A right at a tenant that somebody may accept who has its link and signs in with its address. */
@Entity({ schema: 'shared', name: 'invitation' })
@Index('invitation_open_key', ['tenantId', 'email'], { unique: true, where: 'closed_at is null' })
@Index(['tenantId', 'askedAt'])
@Unique('invitation_token_hash_key', ['tokenHash'])
export class Invitation {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  tenantId!: string;

  /** In lower case. */
  @Column('text')
  @Index()
  email!: string;

  @Column('text')
  role!: string;

  @Column('uuid', { nullable: true })
  roleId!: string | null;

  @Column('text', { default: 'all' })
  scope!: RoleGrant['scope'];

  @Column('uuid', { array: true, default: [] })
  eventIds!: string[];

  @Column('text', { array: true, default: [] })
  kinds!: string[];

  /** The right ends then. */
  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  /** A line of who invites. */
  @Column('text', { nullable: true })
  note!: string | null;

  /** Whose right is judged again when the invitation is accepted. Null: the operator. */
  @Column('uuid', { nullable: true })
  invitedBy!: string | null;

  /** Mails since the last day without one. */
  @Column('integer', { default: 1 })
  mails!: number;

  /** When the last mail was asked for. */
  @Column('timestamptz', { default: () => 'now()' })
  askedAt!: Date;

  /** SHA-256 of the token; null until the mail is sent. */
  @Column('bytea', { nullable: true })
  tokenHash!: Buffer | null;

  /** The link works until then. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Accepted, taken back, or the person got a right in another way. */
  @Column('timestamptz', { nullable: true })
  closedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
