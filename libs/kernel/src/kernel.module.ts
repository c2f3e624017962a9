import { Module, type DynamicModule } from '@nestjs/common';
import { createLogger, LOGGER, type Logger } from './observe/logger.js';
import { SecretBox, SERVER_SECRET } from './secrets/secret-box.js';
import { Outbound } from './outbound/outbound.js';
import { RateLimits } from './limits/rate-limits.js';
import { SETTINGS, type Settings } from './settings/settings.js';
import { SignedLinks } from './secrets/signed-links.js';

/** Settings, logger and `SecretBox`, injectable in every module. */
@Module({})
export class KernelModule {
  static with(settings: Settings, serverSecret: string, logger: Logger = createLogger(settings)): DynamicModule {
    return {
      module: KernelModule,
      global: true,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: SERVER_SECRET, useValue: serverSecret },
        { provide: LOGGER, useValue: logger },
        SecretBox,
        SignedLinks,
        Outbound,
        RateLimits,
      ],
      exports: [SETTINGS, LOGGER, SecretBox, SignedLinks, Outbound, RateLimits, SERVER_SECRET],
    };
  }
}
