import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { Describe } from '#http';
import { Access, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { deviceOf } from './device-of.js';
import { fulfilmentsApi } from './fulfilments.api.js';
import { FulfilmentsService } from './fulfilments.service.js';
import { sendAttempt } from './scan-answer.js';
import { ScanRequest, UndoRequest } from './scan.dto.js';

/** Goods that devices hand out. */
@Controller('scan')
@NeedsModule('scanning')
export class FulfilmentsController {
  constructor(private readonly fulfilments: FulfilmentsService) {}

  @Post('fulfil')
  @Describe(fulfilmentsApi.fulfil)
  @HttpCode(200)
  @Access('door')
  async fulfil(@Req() request: Request, @Body() body: ScanRequest, @Res() response: Response): Promise<void> {
    sendAttempt('fulfil', await this.fulfilments.fulfil(deviceOf(request), body), response);
  }

  @Post('undo_fulfil')
  @Describe(fulfilmentsApi.undo)
  @HttpCode(200)
  @Access('door')
  async undo(@Req() request: Request, @Body() body: UndoRequest, @Res() response: Response): Promise<void> {
    sendAttempt('undo_fulfil', await this.fulfilments.undo(deviceOf(request), body), response);
  }
}
