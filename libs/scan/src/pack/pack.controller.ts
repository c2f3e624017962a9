import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe, entityTag, reply, Versioned, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { CallingDevice, type Device } from '../devices/device-of.js';
import { NamesService } from './names.service.js';
import { NamesAnswer, NamesRequest, PackAnswer, PackRequest } from './pack.dto.js';
import { PackService } from './pack.service.js';

const json = { 'Content-Type': 'application/json; charset=utf-8' };

/** Lists of tickets for devices that may lose their connection. */
@Controller('scan')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
@Access('door')
export class PackController {
  constructor(
    private readonly packs: PackService,
    private readonly guests: NamesService,
  ) {}

  @Get('pack')
  @Describe({
    summary: 'The tickets of an event, to decide without a connection',
    description:
      'The signed list of all tickets of an event, without names. With `after` only what changed since that position, and with `wait` ' +
      'the answer waits until something does. A device has one waiting request: another one ends it with 204.',
    problems: ['event.unknown', 'pack.position_gone', 'pack.busy'],
  })
  @ApiOkResponse({ type: PackAnswer, description: 'The list, or its changes' })
  @ApiNoContentResponse({ description: 'With `after`: nothing changed' })
  @Versioned({ list: true, cache: 'no-store' })
  async pack(
    @CallingDevice() device: Device,
    @Query() { event, after, wait, names, gate, holder }: PackRequest,
    @Headers('if-none-match') known?: string,
  ): Promise<Reply> {
    const phone = { gate: gate ?? undefined, holder: holder ?? undefined };
    const query = { eventId: event, after: after ?? undefined, waitMs: (wait ?? 0) * 1000, names: names === 'sealed', phone };
    const pack = await this.packs.pack(device, query);
    if (!pack) return reply(undefined, { status: 204, version: { event, after } });
    const { version, draw } = pack;
    // Browsers add `Cache-Control: no-cache` to a request with this header, which would prevent the 304 of Express.
    if (known?.includes(entityTag(version))) return reply(undefined, { status: 304, version });
    const body = async (): Promise<string> => {
      const { payload, kid, signature } = await draw();
      return JSON.stringify({ success: true, payload, kid, signature });
    };
    return reply(body, { version, headers: json });
  }

  @Get('names')
  @Describe({
    summary: 'Names of the tickets of an event, to search without a connection',
    description:
      'For devices that staff allow to search tickets. A ticket without names has those of its buyer. Codes and addresses are not sent; ' +
      'the scan log has each download.',
    problems: ['device.permission', 'event.unknown', 'pack.busy'],
  })
  @ApiOkResponse({ type: NamesAnswer, description: 'All tickets of the event' })
  @Versioned({ list: true, cache: 'no-store' })
  async names(@CallingDevice() device: Device, @Query() { event }: NamesRequest, @Headers('if-none-match') known?: string): Promise<Reply> {
    const { version, members } = await this.guests.of(device, event);
    if (known?.includes(entityTag(version))) return reply(undefined, { status: 304, version });
    await this.guests.recordDownload(device, event);
    return reply(`{"success":true,${members}}`, { version, headers: json });
  }
}
