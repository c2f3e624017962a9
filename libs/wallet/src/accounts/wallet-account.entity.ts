import { Column, Entity, PrimaryColumn } from 'typeorm';

export type WalletProvider = 'apple' | 'google';

/** What a venue needs to make passes for the wallet of a provider. */
@Entity('wallet_account')
export class WalletAccount {
  @PrimaryColumn('text')
  provider!: WalletProvider;

  /** Pass type identifier (Apple) or issuer id (Google). */
  @Column('text')
  identifier!: string;

  /** Certificates and keys as JSON, encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedCredentials!: Buffer;

  /** End of the first certificate that ends; null: nothing ends. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
