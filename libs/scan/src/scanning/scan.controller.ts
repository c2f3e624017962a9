import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { SigningKeysService, type PublicJwk } from '#booking';
import { Describe, type Reply } from '#http';
import { currentLanguage, nowInZone } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { ScanningDevicesService } from '../devices/scanning-devices.service.js';
import { attemptReply } from './scan-answer.js';
import { scanApi } from '../model/scan.api.js';
import { ScanRequest, UndoRequest } from '../model/scan.dto.js';
import { messages } from '../model/scan.messages.js';
import { ScanService } from './scan.service.js';

/** The scanning-device API (specification, "Scanning-device API"). */
@Controller('scan')
@NeedsModule('scanning')
export class ScanController {
  constructor(
    private readonly scan: ScanService,
    private readonly devices: ScanningDevicesService,
    private readonly signingKeys: SigningKeysService,
  ) {}

  @Get('test_api')
  @Header('Cache-Control', 'no-store')
  @Describe(scanApi.testApi)
  @Access('device')
  async testApi(@CallingDevice() caller: Device): Promise<object> {
    const { name, host, timeZone } = currentTenant();
    const { maySearchTickets, ...device } = (await this.devices.describe(caller.deviceId)) ?? {};
    return {
      success: true,
      message: messages.keyValid[currentLanguage()],
      device_info: device,
      permissions: maySearchTickets ? ['search_tickets'] : [],
      server_info: { tenant: name, domain: host, timestamp: nowInZone(timeZone) },
    };
  }

  @Get('keys')
  @Header('Cache-Control', 'no-store')
  @Describe(scanApi.keys)
  @Access('device')
  async keys(): Promise<{ keys: PublicJwk[] }> {
    return { keys: await this.signingKeys.jwks() };
  }

  @Post('check_ticket')
  @Describe(scanApi.checkTicket)
  @HttpCode(200)
  @Access('door')
  async checkTicket(@CallingDevice() device: Device, @Body() body: ScanRequest): Promise<Reply<object>> {
    return attemptReply('check', await this.scan.attempt('check', device, body));
  }

  @Post('ticket')
  @Describe(scanApi.scanTicket)
  @HttpCode(200)
  @Access('door')
  async scanTicket(@CallingDevice() device: Device, @Body() body: ScanRequest): Promise<Reply<object>> {
    return attemptReply('scan', await this.scan.attempt('scan', device, body));
  }

  @Post('undo')
  @Describe(scanApi.undo)
  @HttpCode(200)
  @Access('door')
  async undo(@CallingDevice() device: Device, @Body() body: UndoRequest): Promise<Reply<object>> {
    return attemptReply('undo', await this.scan.undo(device, body));
  }
}
