import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { SigningKeys, type PublicJwk } from '#booking';
import { Describe } from '#http';
import { currentLanguage, nowInZone } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { deviceOf } from './device-of.js';
import { ScanningDevices } from './scanning-devices.service.js';
import { sendAttempt } from './scan-answer.js';
import { scanApi } from './scan.api.js';
import { ScanRequest, UndoRequest } from './scan.dto.js';
import { messages } from './scan.messages.js';
import { Scan } from './scan.service.js';

/** The scanning-device API (specification, "Scanning-device API"). */
@Controller('scan')
@NeedsModule('scanning')
export class ScanController {
  constructor(
    private readonly scan: Scan,
    private readonly devices: ScanningDevices,
    private readonly signingKeys: SigningKeys,
  ) {}

  @Get('test_api')
  @Describe(scanApi.testApi)
  @Access('device')
  async testApi(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    response.set('Cache-Control', 'no-store');
    const { name, host, timeZone } = currentTenant();
    const { maySearchTickets, ...device } = (await this.devices.describe(deviceOf(request).deviceId)) ?? {};
    return {
      success: true,
      message: messages.keyValid[currentLanguage()],
      device_info: device,
      permissions: maySearchTickets ? ['search_tickets'] : [],
      server_info: { tenant: name, domain: host, timestamp: nowInZone(timeZone) },
    };
  }

  @Get('keys')
  @Describe(scanApi.keys)
  @Access('device')
  async keys(@Res({ passthrough: true }) response: Response): Promise<{ keys: PublicJwk[] }> {
    response.set('Cache-Control', 'no-store');
    return { keys: await this.signingKeys.jwks() };
  }

  @Post('check_ticket')
  @Describe(scanApi.checkTicket)
  @HttpCode(200)
  @Access('door')
  async checkTicket(@Req() request: Request, @Body() body: ScanRequest, @Res() response: Response): Promise<void> {
    sendAttempt('check', await this.scan.attempt('check', deviceOf(request), body), response);
  }

  @Post('ticket')
  @Describe(scanApi.scanTicket)
  @HttpCode(200)
  @Access('door')
  async scanTicket(@Req() request: Request, @Body() body: ScanRequest, @Res() response: Response): Promise<void> {
    sendAttempt('scan', await this.scan.attempt('scan', deviceOf(request), body), response);
  }

  @Post('undo')
  @Describe(scanApi.undo)
  @HttpCode(200)
  @Access('door')
  async undo(@Req() request: Request, @Body() body: UndoRequest, @Res() response: Response): Promise<void> {
    sendAttempt('undo', await this.scan.undo(deviceOf(request), body), response);
  }
}
