import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tenant's own account with a payment provider: where its money goes. */
@Entity('payment_account')
export class PaymentAccount {
  @PrimaryColumn('text')
  provider!: 'stripe';

  /** What Guichet shows the provider, sealed with the server secret. */
  @Column('bytea', { select: false })
  sealedSecretKey!: Buffer;

  /** What the provider signs its events with, sealed as well. */
  @Column('bytea', { select: false })
  sealedWebhookSecret!: Buffer;

  /** Off: nothing new is paid with it; what was paid is still heard of and refunded. */
  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
