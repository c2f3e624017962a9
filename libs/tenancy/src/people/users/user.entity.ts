import type { Language } from '#kernel';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person who can sign in to panels. Users belong to the server, not to a tenant. */
@Entity({ schema: 'shared', name: 'user_account' })
export class User {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** In lower case. */
  @Column('text', { unique: true })
  email!: string;

  @Column('text')
  name!: string;

  /** argon2id in PHC format; only this lib reads it. */
  @Column('text', { select: false })
  passwordHash!: string;

  /** May sign in to every panel, including Root's. */
  @Column('boolean', { default: false })
  isSuperUser!: boolean;

  @Column('boolean', { default: false })
  mayCreateTenants!: boolean;

  /** Sessions with a lower version are invalid. */
  @Column('integer', { default: 0 })
  sessionVersion!: number;

  @Column('text', { nullable: true })
  language!: Language | null;

  @Column('timestamptz', { nullable: true })
  lastSignInAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
