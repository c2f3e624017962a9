import type { Language } from '#kernel';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { TenantState } from '../../database/context/tenant-states.js';
import type { CategoryCode } from '../../database/context/tenant-categories.js';

/** A tenant. The API shows it as a place. */
@Entity({ schema: 'shared', name: 'tenant' })
@Index('tenant_shown_key', ['id', 'slug', 'name', 'category'], { unique: true })
@Index('tenant_one_root', ['category'], { unique: true, where: "category = 'R'" })
@Index(['deleteAfter'], { where: 'delete_after is not null' })
export class Tenant {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Subdomain and name for operators: lower-case letters, digits, hyphens. */
  @Column('text', { unique: true })
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: CategoryCode;

  @Column('text', { unique: true })
  schemaName!: string;

  /** Version of the last tenant migration applied to its schema. */
  @Column('integer', { default: 0 })
  schemaVersion!: number;

  /** Version of the newest tenant migration that a program must know to work on its schema. */
  @Column('integer', { default: 0 })
  requiredVersion!: number;

  /** The database server that has its schema; 0: the one that DATABASE_URL leads to. */
  @Column('integer', { default: 0 })
  node!: number;

  /** The server that it is to move to; null: nothing is under way. */
  @Column('integer', { nullable: true })
  movingTo!: number | null;

  /** Since when it is closed for the move. */
  @Column('timestamptz', { nullable: true })
  movingSince!: Date | null;

  @Column('text', { default: 'en' })
  language!: Language;

  /** IANA name. The API writes times with the offset of this zone. */
  @Column('text', { default: 'Europe/Paris' })
  timeZone!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('text', { default: 'active' })
  state!: TenantState;

  /** The operator's reason for the state; the public page of a suspended tenant shows it. */
  @Column('text', { nullable: true })
  stateReason!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  stateSince!: Date;

  /** When the tenant will be dropped; null unless it is being deleted. */
  @Column('timestamptz', { nullable: true })
  deleteAfter!: Date | null;
}
