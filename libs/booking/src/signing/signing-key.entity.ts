import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An Ed25519 key of the tenant. A retired key signs no new tickets and goes on verifying; a revoked one does neither. */
@Entity('signing_key')
export class SigningKey {
  /** 1 to 255: one byte of every code. */
  @PrimaryColumn('smallint')
  id!: number;

  /** The 32 raw bytes. */
  @Column('bytea')
  publicKey!: Buffer;

  /** PKCS#8, sealed with the server secret. */
  @Column('bytea', { select: false })
  sealedPrivateKey!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  retiredAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
