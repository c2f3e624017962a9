import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, ApiUnion, Constant, formats } from '#http';
import { currentLanguage, must, mustBeUuid, optional, searchWords } from '#kernel';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { scanDirections } from '../model/scan.dto.js';
import type { ScanDirection } from '../model/scan-log.entity.js';
import { texts } from '../locales/scan.texts.js';
import type { FoundReference, ReferenceQuery } from './references.service.js';

/** As it is printed, or with the spaces and dashes that people type. */
const written = /^[\s#-]*(?:[0-9a-fA-F][\s#-]*){8,32}$/;
const longest = 100;

/** Body of `POST /scan/reference/`. */
@ApiModel('TypedReferenceBody', { example: { event_uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b', reference: '7D5730A7' } })
export class TypedReferenceBody {
  /** The event at this door. */
  @mustBeUuid(texts.localized('doorLists.eventInvalid'))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  event_uuid!: string;

  @must(
    'isReference',
    (value) => typeof value === 'string' && value.length <= longest && written.test(value),
    texts.localized('references.invalid'),
  )
  @ApiProperty({
    type: String,
    minLength: 8,
    maxLength: longest,
    pattern: written.source,
    description: 'The beginning of the UUID of a reservation or a ticket: 8 to 32 hexadecimal digits.',
  })
  reference!: string;

  /** Whether the holder comes in or goes out: which ticket of a reservation is meant. */
  @ApiProperty({ enum: scanDirections, default: 'entry' })
  @optional()
  @IsIn(scanDirections, { message: () => texts.localized('scan.directionInvalid')[currentLanguage()] })
  direction?: ScanDirection | null;
}

class ReferenceFound {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ ...formats.uuid, description: 'The ticket.' })
  readonly ticket!: string;

  @ApiPropertyOptional({
    ...formats.text,
    deprecated: true,
    description: 'Its code, for older apps: only for devices with the role `scan`.',
  })
  readonly qrcode_data?: string;
}

const referenceFaults = ['unknown', 'ambiguous'] as const;

class ReferenceRefused {
  @Constant(false)
  readonly success!: false;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty({ enum: referenceFaults })
  readonly reason!: (typeof referenceFaults)[number];
}

export type ReferenceAnswer = ReferenceFound | ReferenceRefused;

const example: ReferenceAnswer = {
  success: true,
  ticket: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  qrcode_data: `${'A'.repeat(24)}:${'B'.repeat(86)}`,
};

@ApiUnion('ReferenceAnswer', [ReferenceFound, ReferenceRefused], { example })
export class ReferenceAnswerModel {}

export function toReferenceQuery({ event_uuid: eventId, reference, direction }: TypedReferenceBody): ReferenceQuery {
  const [word] = searchWords(reference.replaceAll(/[\s#-]/g, ''), 1);
  // The check of the body lets only such texts pass.
  return { eventId, ids: word!.ids!, direction: direction ?? 'entry' };
}

export function toReferenceAnswer(found: FoundReference): ReferenceAnswer {
  if (!('fault' in found)) return { success: true, ticket: found.ticketId, ...(found.code !== null && { qrcode_data: found.code }) };
  return { success: false, message: texts.localized(`references.${found.fault}`)[currentLanguage()], reason: found.fault };
}
