import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';

/** A host name that answers for a tenant: one primary, any number of others. */
@Entity({ schema: 'shared', name: 'domain' })
@Index('domain_one_primary', ['tenantId'], { unique: true, where: '"is_primary"' })
export class Domain {
  @PrimaryColumn('text')
  host!: string;

  @Column('uuid')
  @Index()
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant!: Relation<Tenant>;

  @Column('boolean', { default: false })
  isPrimary!: boolean;
}
