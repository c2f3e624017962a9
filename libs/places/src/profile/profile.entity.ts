import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { PlaceFacts } from '../place-facts.js';

/** What a tenant says of itself: the one row of its table `configuration`. */
@Entity('configuration')
@Check('configuration_single_row', 'id = 1')
export class Profile extends PlaceFacts {
  @PrimaryColumn('smallint', { default: 1 })
  id!: number;

  /** A few elements of HTML. */
  @Column('text', { nullable: true })
  imprint!: string | null;

  /** A few elements of HTML. */
  @Column('text', { nullable: true })
  terms!: string | null;
}
