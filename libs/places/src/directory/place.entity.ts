import { Tenant, type CategoryCode } from '#tenancy';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { PlaceFacts } from '../place-facts.js';
import { nameKeySql } from '../place-names.js';

/** A generated column; only SQL reads it. */
const nameKeyColumn = {
  select: false,
  insert: false,
  update: false,
  nullable: true,
  generatedType: 'STORED',
  asExpression: nameKeySql('name'),
} as const;

/**
 * The public record of a tenant, in the shared schema: requests about several places read this table and no tenant's own tables. Written
 * in the transaction that changes the tenant's configuration (`writePlace`); slug, name and category follow the tenant by its foreign
 * key.
 */
@Entity({ schema: 'shared', name: 'place' })
export class Place extends PlaceFacts {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE', onUpdate: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'id', foreignKeyConstraintName: 'place_tenant_fkey' },
    { name: 'slug', referencedColumnName: 'slug', foreignKeyConstraintName: 'place_tenant_fkey' },
    { name: 'name', referencedColumnName: 'name', foreignKeyConstraintName: 'place_tenant_fkey' },
    { name: 'category', referencedColumnName: 'category', foreignKeyConstraintName: 'place_tenant_fkey' },
  ])
  tenant!: Relation<Tenant>;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: CategoryCode;

  /** See `nameKeyOf`. */
  @Column('text', nameKeyColumn)
  @Index()
  nameKey?: string;

  /** When the tenant was created. */
  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;
}
