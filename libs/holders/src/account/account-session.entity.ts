import type { Language } from '#kernel';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A link that was asked for with an e-mail address, and the session of who opened it. Neither the link nor the cookie can be made from the
 * row: the link is signed with the server's secret, and of the cookie only a hash is stored.
 */
@Entity('account_session')
export class AccountSession {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** As it was typed. */
  @Column('text')
  email!: string;

  @Column('text')
  emailKey!: string;

  /** Language of the mail; null: the tenant's. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** Keyed hash of the network that asked, for the limit per network. */
  @Column('text')
  network!: string;

  /** Path of the own page to which the visitor returns; null: the account. */
  @Column('text', { nullable: true })
  returnTo!: string | null;

  /** End of the link. */
  @Column('timestamptz')
  linkUntil!: Date;

  /** When the link was used; it works once. */
  @Column('timestamptz', { nullable: true })
  openedAt!: Date | null;

  /** SHA-256 of the cookie, in base64url; null: no session, or it was ended. */
  @Column('text', { nullable: true })
  tokenHash!: string | null;

  /** End of the session. */
  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
