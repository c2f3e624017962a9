import type { Text } from '#kernel';
import { Tenant } from '#tenancy';
import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { texts } from './locales/cards.texts.js';

/** `blocked` and `lost` cards are treated as unknown. They keep their owner, so that they can be activated again. */
export const cardStates = {
  active: texts.localized('cardStates.active'),
  blocked: texts.localized('cardStates.blocked'),
  lost: texts.localized('cardStates.lost'),
} as const satisfies Record<string, Text>;
export type CardState = keyof typeof cardStates;

/** An NFC card of a person, valid for all tenants. */
@Entity({ schema: 'shared', name: 'card' })
@Unique('card_tag_key', ['tag'])
@Unique('card_number_key', ['number'])
@Check('card_state_check', `state in ('active', 'blocked', 'lost')`)
@Check('card_tag_check', `length(tag) in (8, 14, 20) and tag ~ '^[0-9A-F]+$'`)
@Check('card_owner_check', '(owner_email is null) = (owner_key is null)')
export class Card {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** See `parseTag`. */
  @Column('text')
  tag!: string;

  /** The number printed on the card. */
  @Column('text', { nullable: true })
  number!: string | null;

  @Column('text', { nullable: true })
  ownerEmail!: string | null;

  /** See `emailKey`. Finds the person's memberships and reservations in a tenant. */
  @Column('text', { nullable: true })
  @Index()
  ownerKey!: string | null;

  /** The tenant that issued the card. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey(() => Tenant, { onDelete: 'SET NULL' })
  originTenantId!: string | null;

  @Column('text', { default: 'active' })
  state!: CardState;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  changedAt!: Date;
}
