import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Tenant } from '../tenants/tenant.entity.js';
import type { QuotaKind } from './quota-rules.js';

/** Daily quotas that an operator gave a tenant; null: those of the server. */
@Entity({ schema: 'shared', name: 'tenant_quota' })
export class TenantQuota {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('integer', { nullable: true })
  mails!: number | null;

  @Column('integer', { nullable: true })
  megabytes!: number | null;

  @Column('integer', { nullable: true })
  bookings!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;
}

/** What a tenant used on a day (UTC). */
@Entity({ schema: 'shared', name: 'tenant_usage' })
export class TenantUsage {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @PrimaryColumn('date')
  @Index()
  day!: string;

  @PrimaryColumn('text')
  kind!: QuotaKind;

  /** bigint, so a string. */
  @Column('bigint')
  used!: string;

  /** The part of the quota, in percent, of which operators were told. */
  @Column('smallint', { default: 0 })
  told!: number;
}
