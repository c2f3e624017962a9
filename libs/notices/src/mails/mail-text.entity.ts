import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A text that the staff of a venue added to a kind of mail in one language. */
@Entity('mail_text')
export class MailText {
  /** A kind of mail, or `signature`: below all of them. */
  @PrimaryColumn('text')
  kind!: string;

  @PrimaryColumn('text')
  language!: string;

  @PrimaryColumn('text')
  part!: string;

  @Column('text')
  text!: string;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;
}
