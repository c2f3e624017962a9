import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Code } from './code.entity.js';

/** A line of an order that a code reduced or opened. It ends with the line of a hold; the lines of placed orders stay. */
@Entity('code_use')
export class CodeUse {
  @PrimaryColumn('uuid')
  @ForeignKey('OrderLine', { onDelete: 'CASCADE' })
  lineId!: string;

  /** That of the line; null: it sells a membership. */
  @Column('uuid', { nullable: true })
  reservationId!: string | null;

  /** That of the line; null: it sells tickets, or a membership of an open cart, which takes no use yet. */
  @Column('uuid', { nullable: true })
  membershipId!: string | null;

  @Column('uuid')
  @Index()
  @ForeignKey(() => Code)
  codeId!: string;

  /** Saved at each piece of the line, decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  saved!: string;
}
