import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';
import { User } from './user.entity.js';

/** The right of a user to sign in to a tenant's panel. */
@Entity({ schema: 'shared', name: 'tenant_administrator' })
export class TenantAdministrator {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @PrimaryColumn('uuid')
  @Index()
  userId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant!: Relation<Tenant>;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @Column('timestamptz', { default: () => 'now()' })
  grantedAt!: Date;
}
