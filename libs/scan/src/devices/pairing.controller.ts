import { Controller, Get, Head, Header, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { Describe } from '#http';
import { currentLanguage } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { IncomingHttpHeaders } from 'node:http';
import { PairingService } from './pairing.service.js';
import { scanApi } from '../model/scan.api.js';
import { messages } from '../model/scan.messages.js';
import { problem } from '../model/scan.problems.js';

/** User agents that open a link before, or instead of, a person: chat previews, mail scanners, crawlers. */
const previewAgents =
  /facebookexternalhit|facebot|whatsapp|telegrambot|twitterbot|slackbot|slack-imgproxy|discordbot|linkedinbot|skypeuripreview|microsoftpreview|bingpreview|bingbot|googlebot|google-safety|googleimageproxy|applebot|iframely|embedly|vkshare|viber|line-poker|redditbot|pinterestbot|mastodon|signal-preview|mattermost|matrix|synapse|safelinks|proofpoint|barracuda|mimecast/i;

/** The specification's pairing URL. A GET with an effect, so programs that open links automatically are refused. */
@Controller('scan/:token/pair')
@NeedsModule('scanning')
@Access('public', 'pairing')
export class PairingController {
  constructor(private readonly pairing: PairingService) {}

  @Head()
  @Describe(scanApi.lookAtPairing)
  @Header('Cache-Control', 'no-store')
  async look(@Param('token') token: string): Promise<void> {
    await this.pairing.check(token);
  }

  @Get()
  @Describe(scanApi.pair)
  @Header('Cache-Control', 'no-store')
  @Header('Referrer-Policy', 'no-referrer')
  async pairByGet(@Param('token') token: string, @Headers() headers: IncomingHttpHeaders): Promise<object> {
    if (opensByItself(headers)) throw problem('pairing.not_a_device');
    return this.pair(token);
  }

  @Post()
  @Describe(scanApi.pair)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async pairByPost(@Param('token') token: string, @Headers() headers: IncomingHttpHeaders): Promise<object> {
    if (opensByItself(headers)) throw problem('pairing.not_a_device');
    return this.pair(token);
  }

  private async pair(token: string): Promise<object> {
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

/** Whether the request is a prefetch, a link preview, or a browser's navigation (a phone's camera opens the URL as a page). */
function opensByItself(headers: IncomingHttpHeaders): boolean {
  const purpose = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')} ${String(headers['x-purpose'] ?? '')} ${String(headers['x-moz'] ?? '')}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return true;
  if (headers['sec-fetch-dest'] === 'document' || headers['sec-fetch-mode'] === 'navigate') return true;
  return previewAgents.test(headers['user-agent'] ?? '');
}
