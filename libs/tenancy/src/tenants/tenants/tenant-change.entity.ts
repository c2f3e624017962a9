import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An act of an operator on a tenant. Append-only; it is kept when the tenant is deleted. */
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

  /** The user who acted; null for the command line and background work. */
  @Column('uuid', { nullable: true })
  actorId!: string | null;

  /** Displayed name of who acted: an e-mail address, or `command line`. Does not change when the user is renamed or deleted. */
  @Column('text')
  actor!: string;

  @Column('text')
  action!: string;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** The changes: `{"from": …, "to": …}` per member. */
  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;
}
