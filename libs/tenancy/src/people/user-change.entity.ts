import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One change of what a user may do. Append-only; it outlives the user. */
@Entity({ schema: 'shared', name: 'user_change' })
@Index(['userId', 'at'])
export class UserChange {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  /** The user's address at that time. */
  @Column('text')
  email!: string;

  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  /** The user who did it; null for the command line and background work. */
  @Column('uuid', { nullable: true })
  actorId!: string | null;

  /** Who did it, as people read it. */
  @Column('text')
  actor!: string;

  /** `super_user_granted`, `administrator_revoked` … */
  @Column('text')
  action!: string;

  /** The tenant, by its short name, or the address before and after. */
  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;
}
