import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';
import { currentLanguage, may, mayBeUuid, optional } from '#kernel';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { StatusQuery } from '../status/status.dto.js';
import { texts } from '../locales/scan.texts.js';
import { longestPosition } from '../pack-data/position.js';

/** The longest wait for a change, in seconds: shorter than what proxies allow. */
export const longestWait = 25;

const lowerCase = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));
const wait = { message: (): string => texts.localized('pack.waitInvalid', { longestWait })[currentLanguage()] };

/** Query of `GET /scan/pack/`. */
export class PackRequest extends StatusQuery {
  /** The position of the last list: the answer then has what changed since. */
  @may('isPosition', (value) => typeof value === 'string' && value.length <= longestPosition, texts.localized('pack.afterInvalid'), {
    type: String,
    maxLength: longestPosition,
  })
  after?: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: longestWait, description: 'With `after`: seconds to wait for a change.' })
  @optional()
  @IsInt(wait)
  @Min(0, wait)
  @Max(longestWait, wait)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value))
  wait?: number | null;

  @ApiProperty({ enum: ['sealed'], description: 'With names that only the code of the ticket opens.' })
  @optional()
  @IsIn(['sealed'], { message: () => texts.localized('doorLists.notOneOf', { words: 'sealed' })[currentLanguage()] })
  names?: 'sealed' | null;

  /** The gate at which the device is, and its phone: for the tickets that it may let in without a connection. */
  @mayBeUuid()
  @lowerCase
  gate?: string | null;

  @mayBeUuid()
  @lowerCase
  holder?: string | null;
}

/** Query of `GET /scan/names/`. */
export class NamesRequest extends StatusQuery {}

@ApiModel('PackAnswer', {
  example: { success: true, payload: '{"schema":2,"full":true, …}', kid: '1', signature: 'A'.repeat(86) },
})
export class PackAnswer {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ ...formats.text, description: 'JSON; its members are in the documentation of scanning.' })
  readonly payload!: string;

  @ApiProperty({ ...formats.text, description: 'The key, from `GET /scan/keys/`.' })
  readonly kid!: string;

  @ApiProperty({ ...formats.text, description: 'Ed25519 over `guichet-pack.1`, a line feed and the payload, as UTF-8; base64url.' })
  readonly signature!: string;
}

@ApiModel('NamesAnswer', {
  example: {
    success: true,
    position: '16402-81723',
    names: [
      [
        '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
        '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
        'Ada',
        'Martin',
        '',
        '3F2A9C10',
        'Full',
        0,
        '9f86d081884c7d65',
      ],
    ],
  },
})
export class NamesAnswer {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ ...formats.text, description: 'The position of these names in the changes of tickets; opaque.' })
  readonly position!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: {}, minItems: 9, maxItems: 9 },
    description:
      'Of each ticket: its UUID, the UUID again, first name, last name, an empty text, reference of the reservation, price, state and ' +
      'mark of the e-mail address.',
  })
  readonly names!: readonly (readonly (string | number)[])[];
}
