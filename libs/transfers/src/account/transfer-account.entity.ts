import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The bank account of the venue that buyers transfer money to: at most one row. */
@Entity('transfer_account')
@Check('transfer_account_single_row', 'id = 1')
export class TransferAccount {
  @PrimaryColumn('smallint', { default: 1 })
  id!: number;

  /** In capitals, without spaces. */
  @Column('text')
  iban!: string;

  /** In capitals; empty: unknown, which no bank of the SEPA needs. */
  @Column('text', { default: '' })
  bic!: string;

  /** Whose account it is. */
  @Column('text')
  holder!: string;

  /** Days that buyers have to pay. */
  @Column('smallint')
  days!: number;

  /** Buyers on the public pages can choose it. */
  @Column('boolean', { default: true })
  offered!: boolean;
}
