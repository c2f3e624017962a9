import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Tenant } from '../../tenants/tenants/tenant.entity.js';
import { User } from '../users/user.entity.js';
import { VenueRole } from './venue-role.entity.js';

/**
 * A right with limits to a tenant's panel. A right without any (direction, all events, no end, not suspended) is a row of
 * `tenant_administrator` instead: programs before roles know that table alone, and so give people with limits no right at all.
 */
@Entity({ schema: 'shared', name: 'role_grant' })
export class RoleGrant {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @PrimaryColumn('uuid')
  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** Name of a preset, or `own`. */
  @Column('text')
  role!: string;

  /** The role of the venue, for `own`. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => VenueRole)
  roleId!: string | null;

  @Column('text', { default: 'all' })
  scope!: 'all' | 'events' | 'kinds';

  @Column('uuid', { array: true, default: [] })
  eventIds!: string[];

  @Column('text', { array: true, default: [] })
  kinds!: string[];

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  grantedAt!: Date;
}
