import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { SupportVisit } from '../support/support-visit.entity.js';
import { Tenant } from '../tenants/tenant.entity.js';
import { User } from '../people/user.entity.js';

/** A sign-in of a person to a tenant's panel. */
@Entity({ schema: 'shared', name: 'panel_session' })
@Unique('panel_session_id_key', ['id'])
export class PanelSession {
  /** SHA-256 of the session id in the cookie. */
  @PrimaryColumn('bytea')
  key!: Buffer;

  /** Names it where people see it. */
  @Column('uuid')
  @Generated('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant!: Relation<Tenant>;

  @Column('uuid')
  @Index()
  userId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  /** The operator's visit that it is; null: a sign-in with a password. */
  @Column('uuid', { nullable: true })
  @Index()
  supportVisitId!: string | null;

  @ManyToOne(() => SupportVisit, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'support_visit_id' })
  supportVisit!: Relation<SupportVisit> | null;

  /** The user's session version when the password was checked. */
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

  /** To the minute. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
