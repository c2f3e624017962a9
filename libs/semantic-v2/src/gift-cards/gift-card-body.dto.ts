import { ApiProperty } from '@nestjs/swagger';
import { amountOf, amountPattern, isAmount } from '#catalogue';
import { cardTexts } from '#gift-cards';
import { ApiModel } from '#http';
import { must, optionalText, text } from '#kernel';
import { texts } from '../locales/semantic-v2.texts.js';

/** Body of `POST /api/v2/giftCards/`. */
@ApiModel('NewGiftCard', { example: { amount: 20, recipientName: 'Ada', note: 'The concert ended early.' } })
export class NewGiftCardBody {
  @must('isAmount', isAmount, texts.localized('offerBody.amountInvalid'))
  @ApiProperty({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 99_999_999.99 },
      { type: 'string', pattern: amountPattern },
    ],
    description: 'What it is worth.',
  })
  amount!: string | number;

  @optionalText(cardTexts.name)
  recipientName?: string | null;

  @ApiProperty({ description: 'It is mailed there; absent: somebody prints it.' })
  @optionalText(254)
  recipientEmail?: string | null;

  @optionalText(cardTexts.message)
  message?: string | null;

  @ApiProperty({ description: 'Why it is given away.' })
  @text(1, cardTexts.note)
  note!: string;
}

/** Body of `PATCH /api/v2/giftCards/<uuid>/`. */
@ApiModel('GiftCardChange', { example: { blocked: true, note: 'Lost.' } })
export class GiftCardChangeBody {
  @must('isBoolean', (value) => typeof value === 'boolean', texts.localized('offerBody.notBoolean'))
  @ApiProperty({ type: Boolean, description: 'Whether nobody can pay with it.' })
  blocked!: boolean;

  @ApiProperty({ description: 'Why.' })
  @text(1, cardTexts.note)
  note!: string;
}

/** Maps a validated body to a card that is given away. */
export const toHandIssued = ({ amount, recipientName, recipientEmail, message, note }: NewGiftCardBody) => ({
  amount: amountOf(amount),
  recipientName: recipientName ?? '',
  recipientEmail: recipientEmail ?? null,
  message: message ?? null,
  note,
});

/** Members of the body by the field names of the service. */
export const giftCardPointers: Readonly<Record<string, string>> = {
  amount: '/amount',
  recipientName: '/recipientName',
  recipientEmail: '/recipientEmail',
  message: '/message',
  note: '/note',
};
