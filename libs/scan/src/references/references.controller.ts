import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { ReferenceAnswerModel, TypedReferenceBody, toReferenceAnswer, toReferenceQuery, type ReferenceAnswer } from './reference.dto.js';
import { ReferencesService } from './references.service.js';

/** The printed reference in place of a code that cannot be read. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
export class ReferencesController {
  constructor(private readonly references: ReferencesService) {}

  @Post('reference')
  @Describe({
    summary: 'The ticket of a printed reference',
    description:
      'For a code that cannot be read. Answers the ticket that the reference names, to send as `ticket` of a scan, and no names. Of a ' +
      'reservation with several tickets, one that can move now. Nothing moves. A reference that names nothing is an answer, is logged ' +
      'like an unknown code and counts for `RATE_REFERENCES`.',
    problems: ['device.permission'],
  })
  @ApiOkResponse({ type: ReferenceAnswerModel, description: 'The ticket, or why there is none' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Access('door')
  async find(@CallingDevice() device: Device, @Body() body: TypedReferenceBody): Promise<ReferenceAnswer> {
    return toReferenceAnswer(await this.references.find(device, toReferenceQuery(body)));
  }
}
