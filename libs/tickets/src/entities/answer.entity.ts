import { Question } from '#catalogue';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

/** A text or single choice, a yes or no, or several choices. */
export type AnswerValue = string | boolean | readonly string[];

/** An answer to a question of a product. It is deleted with the reservation, ticket or membership that it belongs to. */
@Entity('answer')
export class Answer {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** A question that has answers is never deleted, only archived. */
  @Column('uuid')
  questionId!: string;

  @ManyToOne(() => Question)
  @JoinColumn({ name: 'question_id' })
  question!: Relation<Question>;

  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Reservation', { onDelete: 'CASCADE' })
  reservationId!: string | null;

  /** Set when the question is asked for each ticket. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Ticket', { onDelete: 'CASCADE' })
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Membership', { onDelete: 'CASCADE' })
  membershipId!: string | null;

  /** The label of the question at the time of the answer. */
  @Column('text')
  label!: string;

  @Column('jsonb')
  value!: AnswerValue;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
