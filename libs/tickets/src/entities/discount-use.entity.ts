import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Discount } from './discount.entity.js';

/** A line of an order that a discount reduced. It ends with the line of a hold; the lines of placed orders stay. */
@Entity('discount_use')
export class DiscountUse {
  @PrimaryColumn('uuid')
  @ForeignKey('OrderLine', { onDelete: 'CASCADE' })
  lineId!: string;

  /** That of the line. */
  @Column('uuid')
  reservationId!: string;

  @Column('uuid')
  @ForeignKey(() => Discount)
  discountId!: string;

  /** That of the discount at the time of the sale. */
  @Column('text')
  name!: string;

  /** Saved at each piece of the line, decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  saved!: string;

  /** Product of the membership that the buyer must have. */
  @Column('uuid', { nullable: true })
  membershipId!: string | null;
}
