import { ApiProperty } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { hasControls, isAtMost, may, must, type Text } from '#kernel';
import { deviceRoles, PairedDevice, PublicKey, staffChoice, type DeviceRole } from '../model/connection.dto.js';
import { texts } from '../locales/scan.texts.js';

const installation = /^[A-Za-z0-9_-]{43}$/;
const sentences: Readonly<Record<'code' | 'installation' | 'label', Text>> = {
  code: texts.localized('pairing.codeInvalid'),
  installation: texts.localized('pairing.installationInvalid'),
  label: texts.localized('pairing.labelInvalid'),
};

/** Body of `POST /scan/pair/`. */
@ApiModel('PairRequest', { example: { code: 'K7QF2-MXD9A', installation: 'A'.repeat(43), label: 'Pixel 7' } })
export class PairRequest {
  /** The code of the pairing QR code, or a team code as it was typed. */
  @must('isCode', (value) => typeof value === 'string' && value.length <= 100, sentences.code, { type: String, maxLength: 100 })
  code!: string;

  /** A secret of this installation of the app: 32 random bytes in base64url. */
  @must('isInstallation', (value) => typeof value === 'string' && installation.test(value), sentences.installation, {
    type: String,
    pattern: installation.source,
  })
  installation!: string;

  /** What the phone is called, for staff. */
  @may('isLabel', (value) => typeof value === 'string' && isAtMost(value, 60) && !hasControls(value), sentences.label, {
    type: String,
    maxLength: 60,
  })
  label?: string | null;
}

const example: PairedApp = {
  success: true,
  message: 'Device successfully paired',
  api_key: 'gdev_…',
  device_uuid: '0e896492-5a88-49d7-92a5-826b2b8adac0',
  device_name: 'Main door 3 (Pixel 7)',
  tenant_name: 'La Lune',
  role: 'scan',
  event: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
  gate: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5',
  gates: null,
  quarantine_token: 'gqtn_…',
  keys: [{ kty: 'OKP', crv: 'Ed25519', x: '…', kid: '1', alg: 'EdDSA', use: 'sig' }],
};

@ApiModel('PairedApp', { example })
export class PairedApp extends PairedDevice {
  @ApiProperty({ enum: [...deviceRoles] })
  readonly role!: DeviceRole;

  @ApiProperty(staffChoice.event)
  readonly event!: string | null;

  @ApiProperty(staffChoice.gate)
  readonly gate!: string | null;

  @ApiProperty(staffChoice.gates)
  readonly gates!: readonly string[] | null;

  @ApiProperty({ ...formats.text, description: 'Uploads lines to `POST /scan/quarantine/` after the key was revoked.' })
  readonly quarantine_token!: string;

  @ApiProperty({ type: [PublicKey] })
  readonly keys!: readonly PublicKey[];
}
