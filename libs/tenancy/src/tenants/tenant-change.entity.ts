import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One act of an operator on a tenant. Append-only; it outlives the tenant. */
@Entity({ schema: 'shared', name: 'tenant_change' })
@Index(['tenantId', 'at'])
export class TenantChange {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  tenantId!: string;

  @Column('text')
  slug!: string;

  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  /** The user who did it; null for the command line and background work. */
  @Column('uuid', { nullable: true })
  actorId!: string | null;

  /** Who did it, as people read it: an e-mail address, or `command line`. It stays right when the user is renamed or deleted. */
  @Column('text')
  actor!: string;

  @Column('text')
  action!: string;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** What changed: `{"from": …, "to": …}` per member. */
  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;
}
