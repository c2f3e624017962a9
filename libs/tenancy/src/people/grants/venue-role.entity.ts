import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { Tenant } from '../../tenants/tenants/tenant.entity.js';
import type { PermissionLevels } from '../roles/permissions.js';

/** A role that a venue made itself. */
@Entity({ schema: 'shared', name: 'venue_role' })
@Unique('venue_role_tenant_id_name_key', ['tenantId', 'name'])
export class VenueRole {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('text')
  name!: string;

  /** Level by noun, see `permissions`. */
  @Column('jsonb')
  levels!: PermissionLevels;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
