import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';
import { isoInZone, mustBeUuid } from '#kernel';
import { Transform } from 'class-transformer';
import { GateName } from '../model/gate-answers.dto.js';
import { texts } from '../locales/scan.texts.js';
import type { DoorStatusRow } from './status.service.js';

/** Query of `GET /scan/status/`. */
export class StatusQuery {
  /** The event at this door. */
  @mustBeUuid(texts.localized('doorLists.eventInvalid'))
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  event!: string;
}

@ApiModel('StatusEvent')
class StatusEvent {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;
}

@ApiModel('GateStatus')
export class GateStatus extends GateName {
  @ApiProperty({ ...formats.count, description: 'People inside who came in here last.' })
  readonly inside!: number;
}

const example: DoorStatus = {
  success: true,
  event: { uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b', name: 'Nuit blanche' },
  server_time: '2026-11-20T20:31:07.120394+01:00',
  position: '16402-81723',
  expected: 420,
  admitted: 312,
  inside: 297,
  gates: [
    { uuid: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5', name: 'Main door', inside: 260 },
    { uuid: '3a0e3f0b-7ad0-4f11-9d6a-0e3c0c1f6f11', name: 'Balcony', inside: 30 },
  ],
  elsewhere: 7,
};

@ApiModel('DoorStatus', { example })
export class DoorStatus {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ type: StatusEvent })
  readonly event!: StatusEvent;

  @ApiProperty(formats.instant)
  readonly server_time!: string;

  @ApiProperty({ ...formats.text, description: 'The position of these numbers in the changes of tickets; opaque.' })
  readonly position!: string;

  @ApiProperty({ ...formats.count, description: 'Valid admission tickets, scanned or not.' })
  readonly expected!: number;

  @ApiProperty({ ...formats.count, description: 'Of these, tickets that came in, also when their holders left again.' })
  readonly admitted!: number;

  @ApiProperty({ ...formats.count, description: 'People inside.' })
  readonly inside!: number;

  @ApiProperty({ type: [GateStatus], description: 'The gates of the event, in the order of staff.' })
  readonly gates!: readonly GateStatus[];

  @ApiProperty({ ...formats.count, description: 'People inside whose device named no gate, or one that no longer exists.' })
  readonly elsewhere!: number;
}

export function toDoorStatus({ event, serverTime, gates, ...counts }: DoorStatusRow, timeZone: string): DoorStatus {
  const { position, expected, admitted, inside } = counts;
  const named = gates.reduce((sum, gate) => sum + gate.inside, 0);
  return {
    success: true,
    event,
    server_time: isoInZone(serverTime, timeZone),
    position,
    expected,
    admitted,
    inside,
    gates,
    elsewhere: inside - named,
  };
}
