import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe, OptionalBody } from '#http';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { ContactAnswer, ContactRequest, toContactAnswer } from './contact.dto.js';
import { ContactService } from './contact.service.js';

/** Regular contact of scanner apps. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class ContactController {
  constructor(private readonly contact: ContactService) {}

  @Post('contact')
  @Describe({
    summary: 'Say how the device is, and hear what it may do',
    description:
      'Send it every 30 seconds and after each reconnection. Staff see it in the panel. Also answered while the device is locked or ' +
      'outside its opening hours.',
  })
  @OptionalBody(ContactRequest)
  @ApiOkResponse({ type: ContactAnswer, description: 'The device as staff set it' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async hear(@CallingDevice() device: Device, @Body() body: ContactRequest): Promise<ContactAnswer> {
    const row = await this.contact.hear(device, body);
    return toContactAnswer(row, await this.contact.newestApp(), currentTenant().timeZone);
  }
}
