import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An account of the tenant with a payment provider, which receives its payments. One for each provider. */
@Entity('payment_account')
// Older programs write by provider: the key goes with their columns.
@Unique(['provider'])
export class PaymentAccount {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The name of a provider. */
  @Column('text')
  provider!: string;

  /** What buyers read who can choose; empty: the name of the provider. */
  @Column('text', { default: '' })
  label!: string;

  /** The fields of the provider as JSON, encrypted with the server secret. null: only the former columns are written. */
  @Column('bytea', { select: false, nullable: true })
  sealedFields!: Buffer | null;

  /** When off, no new payments are made; events and refunds of existing payments are still processed. */
  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Buyers are offered the lowest first. */
  @Column('integer', { default: 0 })
  position!: number;

  /** The ways to pay on the provider's page, as of `methodsReadAt`. */
  @Column('text', { array: true, default: () => "'{}'" })
  methods!: string[];

  @Column('timestamptz', { nullable: true })
  methodsReadAt!: Date | null;

  /** See `former-columns.ts`. */
  @Column('bytea', { select: false, nullable: true })
  sealedSecretKey!: Buffer | null;

  @Column('bytea', { select: false, nullable: true })
  sealedWebhookSecret!: Buffer | null;

  @Column('boolean', { default: false })
  delayedMethods!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
