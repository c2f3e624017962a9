import { Column, Entity, ForeignKey, Generated, Index, PrimaryColumn, Unique } from 'typeorm';
import { SupportVisit } from '../support/support-visit.entity.js';

/** A user's session in a tenant's panel. */
@Entity({ schema: 'shared', name: 'panel_session' })
@Unique('panel_session_id_key', ['id'])
export class PanelSession {
  /** SHA-256 of the session id in the cookie. */
  @PrimaryColumn('bytea')
  key!: Buffer;

  /** Identifies the session in the panel's list of sessions. */
  @Column('uuid')
  @Generated('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  tenantId!: string;

  @Column('uuid')
  @Index()
  userId!: string;

  /** The support visit of this session; null: a sign-in with a password. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => SupportVisit, { onDelete: 'CASCADE' })
  supportVisitId!: string | null;

  /** The user's session version at the sign-in. */
  @Column('integer')
  version!: number;

  @Column('jsonb', { select: false })
  data!: object;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Last request, accurate to the minute. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
