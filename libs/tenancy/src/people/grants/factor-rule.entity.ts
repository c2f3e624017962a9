import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Tenant } from '../../tenants/tenants/tenant.entity.js';

/** A role of a venue that needs a second factor. */
@Entity({ schema: 'shared', name: 'factor_rule' })
export class FactorRule {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  /** Name of a preset, or the id of a role of the venue. */
  @PrimaryColumn('text')
  role!: string;
}
