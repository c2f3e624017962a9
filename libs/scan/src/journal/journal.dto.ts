import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';
import { isoInZone, must } from '#kernel';
import { GateName } from '../model/gate-answers.dto.js';
import { EventOfTicket } from '../model/scan-answers.dto.js';
import { toScanEvent } from '../model/scan.dto.js';
import { texts } from '../locales/scan.texts.js';
import { longestLine } from './journal-line.js';
import type { BadLine, LineResult } from './journal.service.js';

/** The most lines of one batch. */
export const mostLines = 1000;

const exampleLine = JSON.stringify({
  scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
  sequence: 41,
  ticket: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  event: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  gate: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5',
  direction: 'entry',
  verdict: 'admitted',
  mode: 'offline',
  device_time: '2026-11-20T20:31:07+01:00',
  clock_offset_ms: -120,
  clock_error_ms: 40,
  previous: 'A'.repeat(43),
});

/** Body of `POST /scan/batch/`. */
@ApiModel('ScanBatch', { example: { lines: [exampleLine] } })
export class ScanBatch {
  /** Only the list is checked here: a bad line is answered and blocks no other. */
  @must('isLines', (value) => Array.isArray(value) && value.length <= mostLines, texts.localized('journal.linesInvalid', { mostLines }))
  @ApiProperty({
    type: 'array',
    // A bad line is answered by itself, whatever it is.
    items: {},
    maxItems: mostLines,
    description:
      `Lines of the journal as the device wrote them: texts with JSON of at most ${longestLine} characters each. Any other value is ` +
      'answered as `malformed`.',
  })
  lines!: readonly unknown[];
}

const states = ['applied', 'replayed', 'duplicate_of', 'was_cancelled', 'refused'] as const;

class OtherEntry {
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  readonly device!: string | null;

  @ApiProperty(formats.nullableText)
  readonly device_name!: string | null;

  @ApiProperty({ type: GateName, nullable: true })
  readonly gate!: GateName | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  readonly scan_id!: string | null;

  @ApiProperty({ ...formats.nullableInstant, description: 'Corrected by the offset of the clock.' })
  readonly at!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'How far `at` may be wrong, in milliseconds.' })
  readonly error_ms!: number | null;
}

@ApiModel('BatchLineAnswer')
export class BatchLineAnswer {
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'null: the line is malformed.' })
  readonly scan_id!: string | null;

  @ApiPropertyOptional(formats.count)
  readonly sequence?: number;

  @ApiProperty({ enum: states })
  readonly state!: (typeof states)[number];

  @ApiPropertyOptional({ ...formats.text, description: 'Why a line is `refused`; `double_entry` when the ticket came in twice.' })
  readonly reason?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'With `replayed`: what the server decided about the attempt.' })
  readonly outcome?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'The corrected time of the line.' })
  readonly happened_at?: string;

  @ApiPropertyOptional({ ...formats.instant, description: 'With `was_cancelled`: since when, if it is known.' })
  readonly cancelled_at?: string;

  @ApiPropertyOptional({ type: EventOfTicket, description: 'With `wrong_event`: the event of the ticket.' })
  readonly event?: EventOfTicket;

  @ApiPropertyOptional({ type: [String], description: 'With `tickets`: those that moved.' })
  readonly moved?: readonly string[];

  @ApiPropertyOptional({ type: OtherEntry, description: 'The other entry of a ticket that came in twice.' })
  readonly other?: OtherEntry;
}

const example: BatchAnswer = {
  success: true,
  count: 1,
  results: [
    {
      scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
      sequence: 41,
      state: 'applied',
      happened_at: '2026-11-20T20:31:06.880000+01:00',
    },
  ],
};

@ApiModel('BatchAnswer', { example })
export class BatchAnswer {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.count)
  readonly count!: number;

  @ApiProperty({ type: [BatchLineAnswer], maxItems: mostLines, description: 'One for each line, in the order of the lines.' })
  readonly results!: readonly BatchLineAnswer[];
}

/** Renders stored answers; the same answer always gives the same members. */
export function toBatchAnswer(results: readonly (LineResult | BadLine)[], timeZone: string): BatchAnswer {
  return { success: true, count: results.length, results: results.map((result) => toLineAnswer(result, timeZone)) };
}

function toLineAnswer(result: LineResult | BadLine, timeZone: string): BatchLineAnswer {
  if (!('happenedAt' in result)) return { scan_id: result.scan_id, state: result.state, reason: result.reason };
  const { scan_id, sequence, state, reason, outcome, cancelledAt, event, moved, other } = result;
  return {
    scan_id,
    sequence,
    state,
    ...(reason !== null && { reason }),
    ...(outcome !== null && { outcome }),
    happened_at: isoInZone(result.happenedAt, timeZone),
    ...(cancelledAt && { cancelled_at: isoInZone(cancelledAt, timeZone) }),
    ...(event && { event: toScanEvent(event, timeZone) }),
    ...(moved && { moved }),
    ...(other && {
      other: {
        device: other.device,
        device_name: other.deviceName,
        gate: other.gate !== null && other.gateName !== null ? { uuid: other.gate, name: other.gateName } : null,
        scan_id: other.scanId,
        at: other.at === null ? null : isoInZone(other.at, timeZone),
        error_ms: other.errorMs,
      },
    }),
  };
}
