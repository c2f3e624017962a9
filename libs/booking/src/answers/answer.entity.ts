import { Question } from '#catalogue';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';

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
  @ForeignKey('Reservation', { onDelete: 'CASCADE' })
  reservationId!: string | null;

  /** Of a question that is asked for each ticket. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Ticket', { onDelete: 'CASCADE' })
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Membership', { onDelete: 'CASCADE' })
  membershipId!: string | null;

  /** The question as it was asked. */
  @Column('text')
  label!: string;

  @Column('jsonb')
  value!: AnswerValue;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
