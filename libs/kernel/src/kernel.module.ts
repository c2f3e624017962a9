import { Module, type DynamicModule } from '@nestjs/common';
import { createLogger, LOGGER, type Logger } from './logger.js';
import { SecretBox, SERVER_SECRET } from './secret-box.js';
import { Outbound } from './outbound.js';
import { RateLimits } from './rate-limits.js';
import { SETTINGS, type Settings } from './settings.js';
import { SignedLinks } from './signed-links.js';

/** What every module may inject: settings, logger, and the box that seals secrets at rest. */
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
