import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe, type Reply } from '#http';
import type { ProblemBody } from '#kernel';
import { Access, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { FulfilAnswerModel, type FulfilAnswer } from '../model/scan-answers.dto.js';
import { FulfilmentsService } from './fulfilments.service.js';
import { attemptReply, qrProblems, replayHeader as headers } from '../scanning/scan-answer.js';
import { ScanRequest, UndoRequest } from '../model/scan.dto.js';

/** Routes by which devices hand goods out. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
export class FulfilmentsController {
  constructor(private readonly fulfilments: FulfilmentsService) {}

  @Post('fulfil')
  @Describe({
    summary: 'Hand out goods',
    description:
      'For codes that `ticket` answers `not_admission`. One conditional statement decides who is first. With a `scan_id` a repeat ' +
      'is answered the same, byte for byte. An admission ticket is refused with `reason` `admission`.',
    problems: [...qrProblems, 'scan.id_reused', 'device.permission'],
  })
  @ApiOkResponse({ type: FulfilAnswerModel, description: 'Handed out, or refused with its reason', headers })
  @HttpCode(200)
  @Access('door')
  async fulfil(@CallingDevice() device: Device, @Body() body: ScanRequest): Promise<Reply<FulfilAnswer | ProblemBody>> {
    return attemptReply('fulfil', await this.fulfilments.fulfil(device, body));
  }

  @Post('undo_fulfil')
  @Describe({
    summary: 'Take handing out back',
    description: 'By the same device, within 15 minutes. The repeat of an undo that was done is answered the same.',
    problems: [...qrProblems, 'scan.unknown', 'device.permission'],
  })
  @ApiOkResponse({ type: FulfilAnswerModel, description: 'Taken back, or refused with its reason', headers })
  @HttpCode(200)
  @Access('door')
  async undo(@CallingDevice() device: Device, @Body() body: UndoRequest): Promise<Reply<FulfilAnswer | ProblemBody>> {
    return attemptReply('undo_fulfil', await this.fulfilments.undo(device, body));
  }
}
