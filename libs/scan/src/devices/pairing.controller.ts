import { Controller, Get, Head, Header, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { currentLanguage } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { IncomingHttpHeaders } from 'node:http';
import { PairingService } from './pairing.service.js';
import { PairedDevice } from '../model/connection.dto.js';
import { messages } from '../model/scan.messages.js';
import { problem } from '../model/scan.problems.js';

/** User agents that open a link before, or instead of, a person: chat previews, mail scanners, crawlers. */
const previewAgents = new RegExp(
  [
    'facebookexternalhit|facebot|whatsapp|telegrambot|twitterbot|slackbot|slack-imgproxy|discordbot|linkedinbot',
    'skypeuripreview|microsoftpreview|bingpreview|bingbot|googlebot|google-safety|googleimageproxy|applebot',
    'iframely|embedly|vkshare|viber|line-poker|redditbot|pinterestbot|mastodon|signal-preview|mattermost|matrix',
    'synapse|safelinks|proofpoint|barracuda|mimecast',
  ].join('|'),
  'i',
);

const spent = ['pairing.unknown', 'pairing.spent', 'pairing.expired'];
const pairing = {
  summary: 'Spend a pairing code for the key of a device',
  description: 'Of simultaneous calls exactly one gets the key. HEAD, prefetches, link previews and browser pages do not spend the code.',
  problems: [...spent, 'pairing.not_a_device'],
};

/** The pairing URL of the specification. Its GET changes data, so programs that open links automatically are refused. */
@Controller('scan/:token/pair')
@ApiTags('Scanning devices')
@ApiParam({ name: 'token', description: 'The pairing code; it is the credential.', type: String })
@NeedsModule('scanning')
@Access('public', 'pairing')
export class PairingController {
  constructor(private readonly pairing: PairingService) {}

  @Head()
  @Describe({ ...pairing, summary: 'Whether a pairing code could be spent; it is not', problems: spent })
  @ApiOkResponse({ description: 'It could' })
  @Header('Cache-Control', 'no-store')
  async look(@Param('token') token: string): Promise<void> {
    await this.pairing.check(token);
  }

  @Get()
  @Describe(pairing)
  @ApiOkResponse({ type: PairedDevice, description: 'Paired' })
  @Header('Cache-Control', 'no-store')
  @Header('Referrer-Policy', 'no-referrer')
  async pairByGet(@Param('token') token: string, @Headers() headers: IncomingHttpHeaders): Promise<PairedDevice> {
    if (opensByItself(headers)) throw problem('pairing.not_a_device');
    return this.pair(token);
  }

  @Post()
  @Describe(pairing)
  @ApiOkResponse({ type: PairedDevice, description: 'Paired' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async pairByPost(@Param('token') token: string, @Headers() headers: IncomingHttpHeaders): Promise<PairedDevice> {
    if (opensByItself(headers)) throw problem('pairing.not_a_device');
    return this.pair(token);
  }

  private async pair(token: string): Promise<PairedDevice> {
    const { apiKey, deviceId, deviceName } = await this.pairing.claim(token);
    return {
      success: true,
      message: messages.paired[currentLanguage()],
      api_key: apiKey,
      device_uuid: deviceId,
      device_name: deviceName,
      tenant_name: currentTenant().name,
    };
  }
}

/** Whether the request is a prefetch, a link preview or a browser navigation (a phone camera opens the URL as a page). */
function opensByItself(headers: IncomingHttpHeaders): boolean {
  const purpose = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => String(headers[name] ?? '')).join(' ');
  if (/prefetch|prerender|preview/i.test(purpose)) return true;
  if (headers['sec-fetch-dest'] === 'document' || headers['sec-fetch-mode'] === 'navigate') return true;
  return previewAgents.test(headers['user-agent'] ?? '');
}
