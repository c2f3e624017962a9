import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';
import { hasControls, isoInZone, isText, may, mayBeUuid, type Text } from '#kernel';
import { Transform } from 'class-transformer';
import { deviceRoles, staffChoice, type DeviceRole } from '../model/connection.dto.js';
import { texts } from '../locales/scan.texts.js';
import { deviceNetworks, type DeviceNetwork } from '../devices/device-contact.entity.js';
import { mostError, mostOffset } from '../journal/journal-line.js';
import type { ContactRow } from './contact.statement.js';

const mostUnsent = 1_000_000;
const longest = 60;

const lowerCase = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

function mayBeWhole(least: number, most: number): PropertyDecorator {
  const sentence: Text = texts.localized('contact.numberInvalid', { least, most });
  const check = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return may('isWhole', check, sentence, { type: 'integer', minimum: least, maximum: most });
}

function mayBeShort(): PropertyDecorator {
  const check = (value: unknown): boolean => isText(value, 0, longest) && !hasControls(value);
  return may('isShort', check, texts.localized('contact.textInvalid', { longest }), { type: String, maxLength: longest });
}

/** Body of `POST /scan/contact/`. */
@ApiModel('ContactRequest', {
  example: { app_version: '5f0c1e2a', battery: 71, charging: false, unsent: 0, clock_offset_ms: -120, clock_error_ms: 40, network: 'live' },
})
export class ContactRequest {
  /** Build of the app. */
  @mayBeShort()
  app_version?: string | null;

  /** Charge in percent. */
  @mayBeWhole(0, 100)
  battery?: number | null;

  @may('isBoolean', (value) => typeof value === 'boolean', texts.localized('contact.booleanInvalid'), { type: Boolean })
  charging?: boolean | null;

  /** Lines of the journal that the server has not answered. */
  @mayBeWhole(0, mostUnsent)
  unsent?: number | null;

  /** Server time minus device time. */
  @mayBeWhole(-mostOffset, mostOffset)
  clock_offset_ms?: number | null;

  @mayBeWhole(0, mostError)
  clock_error_ms?: number | null;

  /** The event and the gate at which the device is. */
  @mayBeUuid()
  @lowerCase
  event?: string | null;

  @mayBeUuid()
  @lowerCase
  gate?: string | null;

  /** Position of its list. */
  @mayBeShort()
  position?: string | null;

  @may('isNetwork', (value) => deviceNetworks.includes(value as DeviceNetwork), texts.localized('contact.networkInvalid'), {
    type: String,
    enum: [...deviceNetworks],
  })
  network?: DeviceNetwork | null;
}

class ContactedDevice {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty({ enum: [...deviceRoles] })
  readonly role!: DeviceRole;

  @ApiProperty(staffChoice.event)
  readonly event!: string | null;

  @ApiProperty(staffChoice.gate)
  readonly gate!: string | null;

  @ApiProperty(staffChoice.gates)
  readonly gates!: readonly string[] | null;

  @ApiProperty({ ...formats.count, description: 'How often staff moved it. Another number: go to `event` and `gate`.' })
  readonly moves!: number;

  @ApiProperty({ ...formats.boolean, description: 'Staff locked it, or it is outside its opening hours: it scans nothing.' })
  readonly locked!: boolean;

  @ApiProperty({ ...formats.nullableInstant, description: 'Opening hours of a device of a team code; null: none, or staff locked it.' })
  readonly opens_at!: string | null;

  @ApiProperty(formats.nullableInstant)
  readonly closes_at!: string | null;

  @Constant(false)
  readonly wipe!: false;
}

class NewestApp {
  @ApiProperty({ ...formats.nullableText, description: 'The newest build; null: the server has none.' })
  readonly version!: string | null;
}

const example: ContactAnswer = {
  success: true,
  server_time: '2026-11-20T20:31:07.120394+01:00',
  device: {
    uuid: '0e896492-5a88-49d7-92a5-826b2b8adac0',
    name: 'Main door 3 (Pixel 7)',
    role: 'scan',
    event: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
    gate: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5',
    gates: null,
    moves: 1,
    locked: false,
    opens_at: '2026-11-20T18:30:00+01:00',
    closes_at: '2026-11-21T01:30:00+01:00',
    wipe: false,
  },
  app: { version: '5f0c1e2a' },
};

@ApiModel('ContactAnswer', { example })
export class ContactAnswer {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.instant)
  readonly server_time!: string;

  @ApiProperty({ type: ContactedDevice })
  readonly device!: ContactedDevice;

  @ApiProperty({ type: NewestApp })
  readonly app!: NewestApp;
}

export function toContactAnswer(row: ContactRow, version: string | null, timeZone: string): ContactAnswer {
  return {
    success: true,
    server_time: isoInZone(row.serverTime, timeZone),
    device: {
      uuid: row.id,
      name: row.name,
      role: row.role,
      event: row.eventId,
      gate: row.gateId,
      gates: row.gateIds,
      moves: row.moves,
      locked: row.locked,
      opens_at: row.opensAt && isoInZone(row.opensAt, timeZone),
      closes_at: row.closesAt && isoInZone(row.closesAt, timeZone),
      wipe: false,
    },
    app: { version },
  };
}
