import type { Language } from '#kernel';
import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** `forgotten`: mailed to whoever asks for it; `first`: of the administrator of a new tenant, who has not signed in yet. */
export type PasswordLinkPurpose = 'forgotten' | 'first';

/** A link behind which a user chooses a password. */
@Entity({ schema: 'shared', name: 'password_link' })
@Index(['tenantId', 'createdAt'])
@Unique('password_link_token_hash_key', ['tokenHash'])
export class PasswordLink {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text', { default: 'forgotten' })
  purpose!: PasswordLinkPurpose;

  /** The tenant on whose host it works. */
  @Column('uuid')
  tenantId!: string;

  /** Null: nobody has the address. */
  @Column('uuid', { nullable: true })
  @Index()
  userId!: string | null;

  /** SHA-256 of the address. */
  @Column('bytea')
  emailHash!: Buffer;

  /** A keyed hash of the visitor's network; empty for a first password. */
  @Column('text')
  network!: string;

  @Column('text')
  language!: Language;

  /** SHA-256 of the token; null until the mail is sent. */
  @Column('bytea', { nullable: true })
  tokenHash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
