import type { Language } from '#kernel';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person who signs in to panels. Users are common to all tenants. */
@Entity({ schema: 'shared', name: 'user_account' })
export class User {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Kept in lower case. */
  @Column('text', { unique: true })
  email!: string;

  @Column('text')
  name!: string;

  /** argon2id in PHC format; never leaves this lib. */
  @Column('text', { select: false })
  passwordHash!: string;

  /** May sign in to every panel, Root's included. */
  @Column('boolean', { default: false })
  isSuperUser!: boolean;

  @Column('boolean', { default: false })
  mayCreateTenants!: boolean;

  /** Sessions of an earlier version are worth nothing. */
  @Column('integer', { default: 0 })
  sessionVersion!: number;

  @Column('text', { nullable: true })
  language!: Language | null;

  @Column('timestamptz', { nullable: true })
  lastSignInAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
