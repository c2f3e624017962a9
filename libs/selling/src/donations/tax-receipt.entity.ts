import { Check, Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

/** What an organisation says of itself on its tax receipts. */
export interface TaxReceiptIssuer {
  readonly name: string;
  /** Lines. */
  readonly address: string;
  readonly object: string;
  readonly articles: readonly string[];
  readonly signer: string;
}

/**
 * The tax receipt for a donation (France: code général des impôts, article 200). The database gives the numbers, without gaps, and
 * refuses to change or delete one; it also sets the end.
 */
@Entity('tax_receipt')
@Check('tax_receipt_number_check', 'number > 0')
export class TaxReceipt {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('integer', { unique: true })
  number!: number;

  /** The donation. */
  @Column('uuid', { unique: true })
  @ForeignKey('OrderLine')
  lineId!: string;

  /** null: forgotten after the time for which copies are kept. */
  @Column('text', { nullable: true })
  donorName!: string | null;

  /** Lines; null like the name. */
  @Column('text', { nullable: true })
  donorAddress!: string | null;

  /** Decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  @Column('timestamptz')
  paidAt!: Date;

  /** Of the payment. */
  @Column('text')
  method!: string;

  @Column('jsonb')
  issuer!: TaxReceiptIssuer;

  @Column('timestamptz', { default: () => 'now()' })
  issuedAt!: Date;

  /** When the donation was given back; null: it was not. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
