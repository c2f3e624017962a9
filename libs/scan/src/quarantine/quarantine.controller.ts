import { Body, Controller, Header, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ApiModel, Constant, Describe, formats } from '#http';
import { currentRequest, must, RateLimits } from '#kernel';
import { Access, NeedsModule } from '#tenancy';
import { mostLines } from '../journal/journal.dto.js';
import { longestLine } from '../journal/journal-line.js';
import { texts } from '../locales/scan.texts.js';
import { QuarantineService } from './quarantine.service.js';

/** Body of `POST /scan/quarantine/`. */
@ApiModel('QuarantineUpload', { example: { lines: ['{"scan_id":"0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10","sequence":41}'] } })
export class QuarantineUpload {
  @must('isLines', (value) => Array.isArray(value) && value.length <= mostLines, texts.localized('journal.linesInvalid', { mostLines }))
  @ApiProperty({
    type: 'array',
    items: {},
    maxItems: mostLines,
    description: `Lines of the journal as the device wrote them, texts of at most ${longestLine} characters. Other values are left out.`,
  })
  lines!: readonly unknown[];
}

@ApiModel('QuarantineAnswer', { example: { success: true, count: 37 } })
export class QuarantineAnswer {
  @Constant(true)
  readonly success!: true;

  @ApiProperty({ ...formats.count, description: 'Lines of this request that are kept.' })
  readonly count!: number;
}

/** Takes the journals of devices whose key was revoked. */
@Controller('scan/quarantine')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
export class QuarantineController {
  constructor(
    private readonly quarantine: QuarantineService,
    private readonly limits: RateLimits,
  ) {}

  @Post()
  @Describe({
    summary: 'Hand over the journal of a device whose key was revoked',
    description:
      'With the `quarantine_token` of `POST /scan/pair/`, which can do only this. The lines are kept for staff and change nothing. A ' +
      'repeat adds nothing; a device may hand over 20,000 lines.',
    problems: ['quarantine.token', 'quarantine.full'],
  })
  @ApiHeader({ name: 'Authorization', description: '`Bearer <quarantine_token>`', required: true })
  @ApiOkResponse({ type: QuarantineAnswer, description: 'Kept' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Access('public', 'pairing')
  async keep(@Headers('authorization') authorization: string | undefined, @Body() { lines }: QuarantineUpload): Promise<QuarantineAnswer> {
    const count = await this.quarantine.keep(await this.quarantine.deviceOf(authorization), lines);
    this.limits.giveBack('pairing', { ip: currentRequest()?.ip, headers: {} });
    return { success: true, count };
  }
}
