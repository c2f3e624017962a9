import type { Text } from '#kernel';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Product } from './product.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** Types of answers: a line, a text, one choice, several choices, or yes/no. */
export const questionKinds = {
  text: texts.localized('questions.kinds.text'),
  long_text: texts.localized('questions.kinds.longText'),
  choice: texts.localized('questions.kinds.choice'),
  multiple_choice: texts.localized('questions.kinds.multipleChoice'),
  yes_no: texts.localized('questions.kinds.yesNo'),
} as const satisfies Record<string, Text>;
export type QuestionKind = keyof typeof questionKinds;

/** Whether a question is asked once per reservation or per ticket. Memberships ask every question once. */
export const questionScopes = {
  reservation: texts.localized('questions.scopes.reservation'),
  ticket: texts.localized('questions.scopes.ticket'),
} as const satisfies Record<string, Text>;
export type QuestionScope = keyof typeof questionScopes;

/** A question that buyers of a product answer. One with answers is archived instead of deleted. */
@Entity('question')
@Index('question_live_name_key', ['productId', 'name'], { unique: true, where: 'archived_at is null' })
export class Question {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Product, { onDelete: 'CASCADE' })
  productId!: string;

  /** Key of its answer in API bodies. Derived from the first label; it never changes. */
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

  /** From this time on the question is no longer asked; its answers are kept. */
  @Column('timestamptz', { nullable: true })
  archivedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
