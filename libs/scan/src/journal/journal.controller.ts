import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { BatchAnswer, ScanBatch, toBatchAnswer } from './journal.dto.js';
import { JournalService } from './journal.service.js';

/** Takes the journals of devices that were without a connection. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class JournalController {
  constructor(private readonly journal: JournalService) {}

  @Post('batch')
  @Describe({
    summary: 'Record what a device did without a connection',
    description:
      'Up to 1,000 lines of its journal, each answered in a final state. A repeat gets the same answers, and a bad line blocks no other. ' +
      'Entries are recorded also when the ticket came in elsewhere: that stands in the ledger of conflicts, and by corrected time the ' +
      'later entry is the duplicate.',
    problems: ['batch.busy'],
  })
  @ApiOkResponse({ type: BatchAnswer, description: 'One answer for each line' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async record(@CallingDevice() device: Device, @Body() { lines }: ScanBatch): Promise<BatchAnswer> {
    return toBatchAnswer(await this.journal.record(device, lines), currentTenant().timeZone);
  }
}
