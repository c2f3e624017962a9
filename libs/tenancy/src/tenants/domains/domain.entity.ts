import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';

/** A host name of a tenant: one primary, any number of others. */
@Entity({ schema: 'shared', name: 'domain' })
@Index('domain_one_primary', ['tenantId'], { unique: true, where: '"is_primary"' })
export class Domain {
  @PrimaryColumn('text')
  host!: string;

  @Column('uuid')
  @Index()
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('boolean', { default: false })
  isPrimary!: boolean;
}
