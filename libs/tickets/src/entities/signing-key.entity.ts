import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An Ed25519 key of the tenant. A retired key no longer signs but still verifies; a revoked key does neither. */
@Entity('signing_key')
export class SigningKey {
  /** 1 to 255, because it is one byte of each code. */
  @PrimaryColumn('smallint')
  id!: number;

  /** The 32 raw bytes. */
  @Column('bytea')
  publicKey!: Buffer;

  /** PKCS#8 DER, encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedPrivateKey!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  retiredAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
