import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Tenant } from '../../tenants/tenants/tenant.entity.js';
import { User } from './user.entity.js';

/** The right of a user to sign in to a tenant's panel. */
@Entity({ schema: 'shared', name: 'tenant_administrator' })
export class TenantAdministrator {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  grantedAt!: Date;
}
