import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { problem } from '../model/scan.problems.js';
import { PracticeAnswer, PracticeScan } from './practice.dto.js';
import { PracticeTicketsService } from './practice-tickets.service.js';

/** Practice with a ticket of the panel. */
@Controller('scan/practice')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class PracticeController {
  constructor(private readonly practice: PracticeTicketsService) {}

  @Post()
  @Describe({
    summary: 'Say that a practice ticket was scanned',
    description:
      'The page of the first steps in the panel waits for it. Nothing else is recorded: a practice ticket is no ticket. It works a day.',
    problems: ['qrcode.malformed'],
  })
  @ApiOkResponse({ type: PracticeAnswer, description: 'It is a practice ticket of this place' })
  @HttpCode(200)
  async scan(@Body() { ticket }: PracticeScan): Promise<PracticeAnswer> {
    if (!(await this.practice.scanned(ticket))) throw problem('qrcode.malformed');
    return { success: true };
  }
}
