import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ApiModel, Constant, formats } from '#http';

/**
 * What a device may do. `scan`: check, scan, undo its own scans, hand out. `search`: also list and search tickets. `supervisor`: also undo
 * scans of every device, at any time. `kiosk`: guests scan themselves, so it only checks and scans.
 */
export const deviceRoles = ['scan', 'search', 'supervisor', 'kiosk'] as const;
export type DeviceRole = (typeof deviceRoles)[number];

const devicePermissions = ['search_tickets', 'undo_any', 'kiosk'] as const;
type DevicePermission = (typeof devicePermissions)[number];

export const permissionsOf: Readonly<Record<DeviceRole, readonly DevicePermission[]>> = {
  scan: [],
  search: ['search_tickets'],
  supervisor: ['search_tickets', 'undo_any'],
  kiosk: ['kiosk'],
};

export class DeviceInfo {
  @ApiProperty(formats.uuid)
  readonly uuid!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiProperty(formats.boolean)
  readonly claimed!: boolean;

  @ApiProperty(formats.boolean)
  readonly archived!: boolean;
}

class ServerInfo {
  @ApiProperty(formats.text)
  readonly tenant!: string;

  @ApiProperty(formats.text)
  readonly domain!: string;

  @ApiProperty(formats.instant)
  readonly timestamp!: string;
}

@ApiModel('ConnectionTest')
export class ConnectionTest {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty({ type: DeviceInfo })
  readonly device_info!: DeviceInfo;

  @ApiProperty({ type: 'array', items: { enum: [...devicePermissions] }, description: 'What its role allows this device, and `kiosk`.' })
  readonly permissions!: readonly DevicePermission[];

  @ApiProperty({ type: ServerInfo })
  readonly server_info!: ServerInfo;
}

/** What staff chose for a device, in answers to it. */
export const staffChoice = {
  event: { ...formats.uuid, nullable: true, description: 'The event that staff chose; null: any.' },
  gate: { ...formats.uuid, nullable: true, description: 'The gate that staff chose.' },
  gates: { type: 'array', items: formats.uuid, nullable: true, description: 'The gates that it may use; null: all.' },
} satisfies Record<string, ApiPropertyOptions>;

/** A public key (RFC 8037). */
@ApiModel('PublicJwk')
export class PublicKey {
  @Constant('OKP')
  readonly kty!: 'OKP';

  @Constant('Ed25519')
  readonly crv!: 'Ed25519';

  @ApiProperty(formats.text)
  readonly x!: string;

  @ApiProperty(formats.text)
  readonly kid!: string;

  @Constant('EdDSA')
  readonly alg!: 'EdDSA';

  @Constant('sig')
  readonly use!: 'sig';
}

@ApiModel('PublicJwkSet')
export class PublicKeySet {
  @ApiProperty({ type: [PublicKey] })
  readonly keys!: readonly PublicKey[];
}

const pairedExample: PairedDevice = {
  success: true,
  message: 'Device successfully paired',
  api_key: 'gdev_…',
  device_uuid: '0e896492-5a88-49d7-92a5-826b2b8adac0',
  device_name: 'Door 1',
  tenant_name: 'La Lune',
};

@ApiModel('PairedDevice', { example: pairedExample })
export class PairedDevice {
  @Constant(true)
  readonly success!: true;

  @ApiProperty(formats.text)
  readonly message!: string;

  @ApiProperty(formats.text)
  readonly api_key!: string;

  @ApiProperty(formats.uuid)
  readonly device_uuid!: string;

  @ApiProperty(formats.text)
  readonly device_name!: string;

  @ApiProperty(formats.text)
  readonly tenant_name!: string;
}
