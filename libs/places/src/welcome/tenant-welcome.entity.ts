import { Tenant } from '#tenancy';
import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';

/** A tenant whose panel still shows the first steps. */
@Entity({ schema: 'shared', name: 'tenant_welcome' })
export class TenantWelcome {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @OneToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id' })
  tenant!: Relation<Tenant>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
