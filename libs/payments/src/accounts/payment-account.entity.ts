import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tenant's own account with a payment provider, which receives its payments. */
@Entity('payment_account')
export class PaymentAccount {
  @PrimaryColumn('text')
  provider!: 'stripe';

  /** The API key, encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedSecretKey!: Buffer;

  /** The secret that signs the provider's events, encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedWebhookSecret!: Buffer;

  /** When off, no new payments are made; events and refunds of existing payments are still processed. */
  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Whether buyers may pay with methods whose outcome takes days, such as direct debits. They keep places without paying meanwhile. */
  @Column('boolean', { default: false })
  delayedMethods!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
