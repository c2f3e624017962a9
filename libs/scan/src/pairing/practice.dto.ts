import { ApiProperty } from '@nestjs/swagger';
import { ApiModel } from '#http';
import { must } from '#kernel';
import { texts } from '../locales/scan.texts.js';

/** Body of `POST /scan/practice/`. */
@ApiModel('PracticeScan', {
  example: { ticket: 'GUICHET-PRACTICE:TICKET:7d6f0c2e-3c57-4f0f-9f7e-0d5c6f6a1b2c.hJ8sW2pQ5rT1vX4yZ7aB0cD3eF6' },
})
export class PracticeScan {
  /** The text of the QR code. */
  @must('isTicket', (value) => typeof value === 'string' && value.length <= 200, texts.localized('practice.ticketInvalid'), {
    type: String,
    maxLength: 200,
  })
  ticket!: string;
}

/** Answer of `POST /scan/practice/`. */
@ApiModel('PracticeAnswer', { example: { success: true } })
export class PracticeAnswer {
  @ApiProperty({ description: 'Always true.', type: Boolean })
  success!: boolean;
}
