import { Question } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/** A text, yes or no, or the choices that were made. */
export type AnswerValue = string | boolean | readonly string[];

/** What somebody answered to a question of a product. It is removed with the reservation, ticket or membership that it belongs to. */
@Entity('answer')
export class Answer {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** A question that has answers is never deleted, only archived. */
  @Column('uuid')
  @Index()
  questionId!: string;

  @ManyToOne(() => Question)
  @JoinColumn({ name: 'question_id' })
  question!: Relation<Question>;

  @Column('uuid', { nullable: true })
  @Index()
  reservationId!: string | null;

  @ManyToOne('Reservation', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: object | null;

  /** Of a question that is asked for each ticket. */
  @Column('uuid', { nullable: true })
  @Index()
  ticketId!: string | null;

  @ManyToOne('Ticket', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ticket_id' })
  ticket!: object | null;

  @Column('uuid', { nullable: true })
  @Index()
  membershipId!: string | null;

  @ManyToOne('Membership', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'membership_id' })
  membership!: object | null;

  /** The question as it was asked. */
  @Column('text')
  label!: string;

  @Column('jsonb')
  value!: AnswerValue;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
