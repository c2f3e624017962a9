import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Describe, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { fulfilmentsApi } from './fulfilments.api.js';
import { FulfilmentsService } from './fulfilments.service.js';
import { attemptReply } from '../scanning/scan-answer.js';
import { ScanRequest, UndoRequest } from '../model/scan.dto.js';

/** Routes by which devices hand goods out. */
@Controller('scan')
@NeedsModule('scanning')
export class FulfilmentsController {
  constructor(private readonly fulfilments: FulfilmentsService) {}

  @Post('fulfil')
  @Describe(fulfilmentsApi.fulfil)
  @HttpCode(200)
  @Access('door')
  async fulfil(@CallingDevice() device: Device, @Body() body: ScanRequest): Promise<Reply<object>> {
    return attemptReply('fulfil', await this.fulfilments.fulfil(device, body));
  }

  @Post('undo_fulfil')
  @Describe(fulfilmentsApi.undo)
  @HttpCode(200)
  @Access('door')
  async undo(@CallingDevice() device: Device, @Body() body: UndoRequest): Promise<Reply<object>> {
    return attemptReply('undo_fulfil', await this.fulfilments.undo(device, body));
  }
}
