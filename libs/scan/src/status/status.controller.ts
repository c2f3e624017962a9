import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { DoorStatus, StatusQuery, toDoorStatus } from './status.dto.js';
import { DoorStatusService } from './status.service.js';

/** Counts at the doors of an event, for scanning devices. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class DoorStatusController {
  constructor(private readonly status: DoorStatusService) {}

  @Get('status')
  @Describe({
    summary: 'People at an event: expected, admitted, inside in all and per gate',
    description: 'Also lists the gates of the event: their `uuid` is the `gate` of a scan.',
    problems: ['event.unknown'],
  })
  @ApiOkResponse({ type: DoorStatus, description: 'All numbers are of one moment' })
  @Header('Cache-Control', 'no-store')
  async show(@CallingDevice() device: Device, @Query() { event }: StatusQuery): Promise<DoorStatus> {
    return toDoorStatus(await this.status.of(device, event), currentTenant().timeZone);
  }
}
