import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { SigningKeysService } from '#tickets';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { currentLanguage, currentRequest, isVisible, RateLimits } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import { messages } from '../model/scan.messages.js';
import { InstallationsService } from './installations.service.js';
import { PairedApp, PairRequest } from './pair.dto.js';

/** Pairs the scanner app. */
@Controller('scan/pair')
@ApiTags('Scanning devices')
@NeedsModule('scanning')
export class PairController {
  constructor(
    private readonly installations: InstallationsService,
    private readonly signingKeys: SigningKeysService,
    private readonly limits: RateLimits,
  ) {}

  @Post()
  @Describe({
    summary: 'Pair an installation of the scanner app, by a pairing code or a team code',
    description:
      'A team code pairs as many phones as staff chose; the same installation gets the same device again, with a new key. The code is ' +
      'the credential. Only refused requests count for the rate limit of the network.',
    problems: ['pairing.unknown', 'pairing.spent', 'pairing.expired', 'pairing.full', 'pairing.refused'],
  })
  @ApiOkResponse({ type: PairedApp, description: 'Paired' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Access('public', 'pairing')
  async pair(@Body() { code, installation, label }: PairRequest): Promise<PairedApp> {
    const named = label && isVisible(label) ? label.trim() : null;
    const device = await this.installations.pair({ code, installation, label: named });
    // Twenty volunteers who pair at once behind one address are no guesses.
    this.limits.giveBack('pairing', { ip: currentRequest()?.ip, headers: {} });
    return {
      success: true,
      message: messages.paired[currentLanguage()],
      api_key: device.apiKey,
      device_uuid: device.id,
      device_name: device.name,
      tenant_name: currentTenant().name,
      role: device.role,
      event: device.eventId,
      gate: device.gateId,
      gates: device.gateIds,
      quarantine_token: device.quarantineToken,
      keys: await this.signingKeys.jwks(),
    };
  }
}
