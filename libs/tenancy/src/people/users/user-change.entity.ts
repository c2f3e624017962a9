import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One change of a user's rights. Append-only; it is kept when the user is deleted. */
@Entity({ schema: 'shared', name: 'user_change' })
@Index(['userId', 'at'])
export class UserChange {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  /** The user's e-mail address at that time. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  /** The user who made the change; null for the command line and background work. */
  @Column('uuid', { nullable: true })
  actorId!: string | null;

  /** Displayed name of who made the change. */
  @Column('text')
  actor!: string;

  /** `super_user_granted`, `administrator_revoked` … */
  @Column('text')
  action!: string;

  /** Slug of the tenant, or the e-mail address before and after. */
  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;
}
