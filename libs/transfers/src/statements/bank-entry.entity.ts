import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { EntryFinding, EntryState } from './entry-states.js';

/** A file of statements that staff uploaded. */
@Entity('bank_statement')
@Unique('bank_statement_digest_key', ['digest'])
export class BankStatement {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  fileName!: string;

  /** SHA-256 of the file, in hexadecimal digits. */
  @Column('text')
  digest!: string;

  /** Of a CSV file: its heading, by which the mapping of its columns is found again; else empty. */
  @Column('text', { default: '' })
  heading!: string;

  /** Of a CSV file: the columns as JSON; else empty. */
  @Column('text', { default: '' })
  columns!: string;

  /** Entries that no earlier file had. */
  @Column('integer', { default: 0 })
  added!: number;

  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** An entry of a bank statement. */
@Entity('bank_entry')
@Unique('bank_entry_key', ['account', 'key'])
@Index('bank_entry_booked_on_idx', ['bookedOn', 'amount'])
export class BankEntry {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => BankStatement)
  statementId!: string;

  /** The IBAN of the statement; empty: the file names none. */
  @Column('text')
  account!: string;

  /** Identifies the entry among those of its account: the reference of the bank, or a hash of the entry and its occurrence. */
  @Column('text')
  key!: string;

  @Column('date')
  bookedOn!: string;

  /** Negative: a debit. Decimal text. */
  @Column('numeric', { precision: 12, scale: 2 })
  amount!: string;

  @Column('text')
  currency!: string;

  /** Who paid, or was paid. */
  @Column('text', { default: '' })
  name!: string;

  @Column('text', { default: '' })
  iban!: string;

  @Column('text', { default: '' })
  bic!: string;

  /** What the payer wrote, with references. */
  @Column('text', { default: '' })
  text!: string;

  @Column('text')
  state!: EntryState;

  @Column('text')
  finding!: EntryFinding;

  /** The order that it probably pays. */
  @Column('uuid', { nullable: true })
  suggestedOrderId!: string | null;

  /** What of it is to be paid back, decimal text. */
  @Column('numeric', { precision: 12, scale: 2, default: 0 })
  excess!: string;

  /** The end-to-end reference with which it is paid back. */
  @Column('text', { default: '' })
  refundReference!: string;

  /** Why staff settled it so. */
  @Column('text', { default: '' })
  note!: string;

  @Column('uuid', { nullable: true })
  settledBy!: string | null;

  @Column('timestamptz', { nullable: true })
  settledAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** What of an entry is for an order. */
@Entity('bank_share')
export class BankShare {
  @PrimaryColumn('uuid')
  @ForeignKey('BankTransfer')
  orderId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => BankEntry)
  entryId!: string;

  /** Decimal text. */
  @Column('numeric', { precision: 12, scale: 2 })
  amount!: string;

  /** When the order was paid with it; null: the order waits for the rest. */
  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;
}
