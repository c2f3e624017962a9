import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { SigningKeysService } from '#tickets';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe, type Reply } from '#http';
import { currentLanguage, nowInZone, type ProblemBody } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { ScanningDevicesService } from '../devices/scanning-devices.service.js';
import { attemptReply, qrProblems, replayHeader as headers } from './scan-answer.js';
import { CheckAnswerModel, type CheckAnswer } from '../model/check-answers.dto.js';
import { ConnectionTest, permissionsOf, PublicKeySet, type DeviceInfo } from '../model/connection.dto.js';
import { ScanAnswerModel, type ScanAnswer } from '../model/scan-answers.dto.js';
import { GateScanRequest, TicketScanRequest, UndoRequest } from '../model/scan.dto.js';
import { messages } from '../model/scan.messages.js';
import { ScanService } from './scan.service.js';

/** The scanning-device API (specification, "Scanning-device API"). */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
export class ScanController {
  constructor(
    private readonly scan: ScanService,
    private readonly devices: ScanningDevicesService,
    private readonly signingKeys: SigningKeysService,
  ) {}

  @Get('test_api')
  @Header('Cache-Control', 'no-store')
  @Describe({ summary: 'Connection test', description: 'Says which device the key belongs to and what it may do.' })
  @ApiOkResponse({ type: ConnectionTest, description: 'The key works' })
  @Access('device')
  async testApi(@CallingDevice() caller: Device): Promise<ConnectionTest> {
    const { name, host, timeZone } = currentTenant();
    const { role = 'scan', ...device } = (await this.devices.describe(caller.deviceId)) ?? {};
    return {
      success: true,
      message: messages.keyValid[currentLanguage()],
      device_info: device as DeviceInfo,
      permissions: permissionsOf[role],
      server_info: { tenant: name, domain: host, timestamp: nowInZone(timeZone) },
    };
  }

  @Get('keys')
  @Header('Cache-Control', 'no-store')
  @Describe({
    summary: 'Public keys, for verification without a connection',
    description: 'RFC 8037. `data` of a code holds the key id in its second byte; the signature is Ed25519 over the ASCII of `data`.',
  })
  @ApiOkResponse({ type: PublicKeySet, description: 'A JWK set' })
  @Access('device')
  async keys(): Promise<PublicKeySet> {
    return { keys: await this.signingKeys.jwks() };
  }

  @Post('check_ticket')
  @Describe({
    summary: 'Look at a ticket, or at a membership card; nothing changes',
    description:
      '`may_enter` says whether `POST /scan/ticket/` would let it in now; if not, `reason` and its companions are the same as ' +
      'there, and `detail` is the reason in words. The code of a membership is answered with `membership` instead of ticket and ' +
      'reservation: `is_valid` says whether it is valid now, `reason` is `membership` for a valid one, else why it is not valid.',
    problems: [...qrProblems, 'scan.id_reused', 'gate.unknown', 'device.permission'],
  })
  @ApiOkResponse({ type: CheckAnswerModel, description: 'A genuine ticket in any state, or a genuine card', headers })
  @HttpCode(200)
  @Access('door')
  async checkTicket(@CallingDevice() device: Device, @Body() body: GateScanRequest): Promise<Reply<CheckAnswer | ProblemBody>> {
    return attemptReply<CheckAnswer>('check', await this.scan.attempt('check', device, body));
  }

  @Post('ticket')
  @Describe({
    summary: 'Let a ticket in, or out',
    description:
      'One conditional statement decides who is first. With a `scan_id` a repeat is answered the same, byte for byte, and never ' +
      'scans twice. A membership card is refused with `reason` `membership`. With `gate` or `direction` the rules of the gate count, ' +
      'exits and entries after an exit are recorded, and the answer also has `gate`, `direction`, `group` and, for a refusal, `next_step`.',
    problems: [...qrProblems, 'scan.id_reused', 'gate.unknown', 'device.permission'],
  })
  @ApiOkResponse({ type: ScanAnswerModel, description: 'Let in, or refused with its reason', headers })
  @HttpCode(200)
  @Access('door')
  async scanTicket(@CallingDevice() device: Device, @Body() body: TicketScanRequest): Promise<Reply<ScanAnswer | ProblemBody>> {
    return attemptReply<ScanAnswer>('scan', await this.scan.attempt('scan', device, body));
  }

  @Post('undo')
  @Describe({
    summary: 'Take the last scan of a ticket back: an entry or an exit',
    description:
      'By the same device within 15 minutes, by a supervisor’s device always. Asking again for an undo that was done is answered the same.',
    problems: [...qrProblems, 'scan.unknown', 'device.permission'],
  })
  @ApiOkResponse({ type: ScanAnswerModel, description: 'Taken back, or refused with its reason', headers })
  @HttpCode(200)
  @Access('door')
  async undo(@CallingDevice() device: Device, @Body() body: UndoRequest): Promise<Reply<ScanAnswer | ProblemBody>> {
    return attemptReply<ScanAnswer>('undo', await this.scan.undo(device, body));
  }
}
