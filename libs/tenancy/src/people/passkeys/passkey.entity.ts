import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { User } from '../users/user.entity.js';

/** A passkey of a user (WebAuthn). */
@Entity({ schema: 'shared', name: 'passkey' })
@Unique('passkey_credential_id_key', ['credentialId'])
export class Passkey {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** The host where it works (relying party ID). */
  @Column('text')
  host!: string;

  /** In base64url. */
  @Column('text')
  credentialId!: string;

  /** COSE. */
  @Column('bytea', { select: false })
  publicKey!: Buffer;

  /** How browsers reach it: `internal`, `usb`, `hybrid` … */
  @Column('text', { array: true, default: [] })
  transports!: string[];

  @Column('text')
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
