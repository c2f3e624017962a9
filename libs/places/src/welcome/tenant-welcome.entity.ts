import { Tenant } from '#tenancy';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A tenant whose panel still shows the first steps. */
@Entity({ schema: 'shared', name: 'tenant_welcome' })
export class TenantWelcome {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
