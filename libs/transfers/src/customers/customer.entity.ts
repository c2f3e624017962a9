import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A school, a company or another body that buys on account. */
@Entity('customer')
export class Customer {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Empty: not known. */
  @Column('text', { default: '' })
  email!: string;

  /** Lines of a letter; may be empty. */
  @Column('text', { default: '' })
  address!: string;

  /** For VAT; may be empty. */
  @Column('text', { default: '' })
  taxNumber!: string;

  /** Days that it has to pay. */
  @Column('smallint', { default: 30 })
  paymentDays!: number;

  /** It buys nothing on account any more. */
  @Column('boolean', { default: false })
  disabled!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
