import type { Language } from '#kernel';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { CategoryCode } from './tenant-categories.js';

/** A row of the shared list of tenants. What the API shows of it is a place. */
@Entity({ schema: 'shared', name: 'tenant' })
@Index('tenant_one_root', ['category'], { unique: true, where: "category = 'R'" })
export class Tenant {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Sub-domain and name for operators: lower-case letters, digits, hyphens. */
  @Column('text', { unique: true })
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: CategoryCode;

  @Column('text', { unique: true })
  schemaName!: string;

  /** Number of the last tenant migration applied to its schema. */
  @Column('integer', { default: 0 })
  schemaVersion!: number;

  /** Number of the newest tenant migration that a program must know to work on its schema. */
  @Column('integer', { default: 0 })
  requiredVersion!: number;

  @Column('text', { default: 'en' })
  language!: Language;

  /** IANA name; times are answered with its offset. */
  @Column('text', { default: 'Europe/Paris' })
  timeZone!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
