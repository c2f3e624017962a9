import { Column, Entity, ForeignKey, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Language } from '#kernel';
import { texts } from '../locales/gift-cards.texts.js';

/** States of a card, as `gift_card_state` in the database names them. */
export const giftCardStates = {
  unpaid: texts.localized('states.unpaid'),
  usable: texts.localized('states.usable'),
  expired: texts.localized('states.expired'),
  blocked: texts.localized('states.blocked'),
  replaced: texts.localized('states.replaced'),
  withdrawn: texts.localized('states.withdrawn'),
} as const;
export type GiftCardState = keyof typeof giftCardStates;

/**
 * A gift card: a voucher for several purposes (article 30a of Directive 2006/112/EC), so that VAT is due on what is paid with it. Its value
 * is the sum of its movements; `amount` is what it was issued with.
 */
@Entity('gift_card')
@Unique('gift_card_order_id_key', ['orderId'])
@Unique('gift_card_code_key', ['code'])
export class GiftCard {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** The order that bought it; null: staff issued it, or it replaces another card. */
  @Column('uuid', { nullable: true })
  @ForeignKey('Order')
  orderId!: string | null;

  /** What people type, without spaces; null: it is not paid yet. */
  @Column('text', { nullable: true })
  code!: string | null;

  /** Decimal text. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  @Column('text', { nullable: true })
  message!: string | null;

  @Column('text', { default: '' })
  recipientName!: string;

  /** Where it is mailed to; null: the buyer prints it. */
  @Column('text', { nullable: true })
  recipientEmail!: string | null;

  @Column('text', { default: '' })
  buyerName!: string;

  /** Empty: staff issued it. */
  @Column('text', { default: '' })
  buyerEmail!: string;

  /** Of its mails and documents; null: that of the venue. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** The day of its mail, `2026-12-24`. */
  @Column('date', { nullable: true })
  sendOn!: string | null;

  @Column('timestamptz', { nullable: true })
  mailedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  issuedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  blockedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  withdrawnAt!: Date | null;

  /** The card that has its value since it was replaced. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => GiftCard)
  replacedById!: string | null;

  /** The venue of a network that issued it: the card pays here, and its value is there; null: the own venue. */
  @Column('uuid', { nullable: true })
  issuerId!: string | null;

  /** The card of that venue. */
  @Column('uuid', { nullable: true })
  issuerCardId!: string | null;

  /** The end of its code, of a card of another venue. */
  @Column('text', { nullable: true })
  codeTail!: string | null;

  /** Why staff issued, blocked or replaced it. */
  @Column('text', { nullable: true })
  note!: string | null;

  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

export const movementKinds = {
  issue: texts.localized('movements.issue'),
  payment: texts.localized('movements.payment'),
  release: texts.localized('movements.release'),
  refund: texts.localized('movements.refund'),
  replacement: texts.localized('movements.replacement'),
  withdrawal: texts.localized('movements.withdrawal'),
  network: texts.localized('movements.network'),
} as const;

/** A change of the value of a card. The database refuses to change or delete one; triggers of `payment` write those with a payment. */
@Entity('gift_card_movement')
export class GiftCardMovement {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => GiftCard)
  giftCardId!: string;

  @Column('text')
  kind!: keyof typeof movementKinds;

  /** Decimal text; negative: taken from the card. */
  @Column('numeric', { precision: 10, scale: 2 })
  amount!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('Payment')
  paymentId!: string | null;

  /** Names what passes between two venues of a network; both have a movement with it. */
  @Column('uuid', { nullable: true })
  transferId!: string | null;

  /** The other venue. */
  @Column('uuid', { nullable: true })
  peerId!: string | null;

  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
