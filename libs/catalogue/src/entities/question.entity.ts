import type { Text } from '#kernel';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Product } from './product.entity.js';

/** The type of an answer: a line, a text, one of the choices, any number of them, or yes or no. */
export const questionKinds = {
  text: { en: 'Short text', fr: 'Texte court' },
  long_text: { en: 'Long text', fr: 'Texte long' },
  choice: { en: 'One choice', fr: 'Choix unique' },
  multiple_choice: { en: 'Several choices', fr: 'Choix multiples' },
  yes_no: { en: 'Yes or no', fr: 'Oui ou non' },
} as const satisfies Record<string, Text>;
export type QuestionKind = keyof typeof questionKinds;

/** How often a question is asked in a reservation. A membership asks it once in either case. */
export const questionScopes = {
  reservation: { en: 'Once per reservation', fr: 'Une fois par réservation' },
  ticket: { en: 'For each ticket', fr: 'Pour chaque billet' },
} as const satisfies Record<string, Text>;
export type QuestionScope = keyof typeof questionScopes;

/** A question that buyers of a product answer. One with answers is archived instead of deleted. */
@Entity('question')
@Index('question_live_name_key', ['productId', 'name'], { unique: true, where: 'archived_at is null' })
export class Question {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
  @ForeignKey(() => Product, { onDelete: 'CASCADE' })
  productId!: string;

  /** Key of its answer in API bodies: made of the first label, and the same for as long as the question exists. */
  @Column('text')
  name!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  help!: string | null;

  @Column('text')
  kind!: QuestionKind;

  @Column('text', { default: 'reservation' })
  scope!: QuestionScope;

  @Column('boolean', { default: false })
  required!: boolean;

  /** For a choice: its values in order. Empty for other kinds. */
  @Column('text', { array: true, default: '{}' })
  choices!: string[];

  /** 0, 1, 2 … among the questions of its product. */
  @Column('smallint', { default: 0 })
  position!: number;

  /** From then on the question is no longer asked; its answers stay. */
  @Column('timestamptz', { nullable: true })
  archivedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
