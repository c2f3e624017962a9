import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { giftCardStates, movementKinds, shownCardCode, type GiftCard, type GiftCardMovement, type ValuedGiftCard } from '#gift-cards';
import { ApiModel, formats } from '#http';
import { isoInZone, present } from '#kernel';
import { currentTenant } from '#tenancy';

const decimal = { ...formats.text, pattern: '^-?\\d+\\.\\d{2}$' };

/** A change of the value of a card. */
class GiftCardMovementAnswer {
  @ApiProperty({ enum: Object.keys(movementKinds) })
  readonly kind!: keyof typeof movementKinds;

  @ApiProperty({ ...decimal, description: 'Negative: taken from the card.' })
  readonly amount!: string;

  @ApiProperty(formats.instant)
  readonly at!: string;
}

/** A gift card. */
@ApiModel('GiftCard', {
  example: {
    identifier: '3f6f0e0a-9a55-4f7e-8a3e-1f0f6f0f2d22',
    tail: 'MNPQ',
    state: 'usable',
    amount: '50.00',
    balance: '30.00',
    recipientName: 'Ada',
    issuedAt: '2027-01-04T10:00:00+01:00',
  },
})
export class GiftCardAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiPropertyOptional({
    ...formats.text,
    description: 'The code; only in the answer that issues the card, because whoever has it pays with it.',
  })
  readonly code?: string;

  @ApiProperty({ ...formats.text, description: 'The end of its code.' })
  readonly tail!: string;

  @ApiProperty({ enum: Object.keys(giftCardStates) })
  readonly state!: keyof typeof giftCardStates;

  @ApiProperty({ ...decimal, description: 'What it was issued with.' })
  readonly amount!: string;

  @ApiProperty({ ...decimal, description: 'What is left of it.' })
  readonly balance!: string;

  @ApiPropertyOptional(formats.text)
  readonly recipientName?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Where it is mailed to.' })
  readonly recipientEmail?: string;

  @ApiPropertyOptional(formats.text)
  readonly buyerName?: string;

  @ApiPropertyOptional(formats.text)
  readonly buyerEmail?: string;

  @ApiPropertyOptional(formats.text)
  readonly message?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Why it was issued, blocked or replaced by hand.' })
  readonly note?: string;

  @ApiPropertyOptional(formats.instant)
  readonly issuedAt?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'Absent: without end.' })
  readonly validThrough?: string;

  @ApiPropertyOptional({ ...formats.uuid, description: 'The card that has its value since it was replaced.' })
  readonly replacedBy?: string;

  @ApiPropertyOptional({ type: [GiftCardMovementAnswer], description: 'Of one card; the oldest first.' })
  readonly movements?: readonly GiftCardMovementAnswer[];
}

export class GiftCardList {
  @ApiProperty({ type: [GiftCardAnswer] })
  readonly results!: readonly GiftCardAnswer[];
}

/** Renders a card. @param how.movements of one card @param how.withCode it was issued now */
export function toGiftCard(
  card: ValuedGiftCard,
  { movements, withCode = false }: { readonly movements?: readonly GiftCardMovement[]; readonly withCode?: boolean } = {},
): GiftCardAnswer {
  const { timeZone } = currentTenant();
  const time = (value: Date | null): string | undefined => (value === null ? undefined : isoInZone(value, timeZone));
  const code: GiftCard['code'] = card.code;
  return present({
    identifier: card.id,
    code: withCode && code !== null ? shownCardCode(code) : undefined,
    tail: code?.slice(-4) ?? '',
    state: card.state,
    amount: card.amount,
    balance: card.balance,
    recipientName: card.recipientName || undefined,
    recipientEmail: card.recipientEmail,
    buyerName: card.buyerName || undefined,
    buyerEmail: card.buyerEmail || undefined,
    message: card.message,
    note: card.note,
    issuedAt: time(card.issuedAt),
    validThrough: time(card.expiresAt),
    replacedBy: card.replacedById,
    movements: movements?.map(({ kind, amount, createdAt }) => ({ kind, amount, at: isoInZone(createdAt, timeZone) })),
  });
}
