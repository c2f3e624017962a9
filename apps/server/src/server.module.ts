import { Module, type DynamicModule } from '@nestjs/common';
import { bookingEntities, BookingModule } from '#booking';
import { catalogueEntities, CatalogueModule } from '#catalogue';
import { DemoModule } from '#demo';
import { KernelModule, type Logger, type Settings } from '#kernel';
import { PanelModule } from '#panel';
import { scanEntities, ScanModule } from '#scan';
import { TenancyModule } from '#tenancy';
import { Drain } from './drain.js';
import { HealthController } from './health.controller.js';
import { HomeController } from './home.controller.js';

export interface ServerParts {
  readonly settings: Settings;
  readonly serverSecret: string;
  readonly databaseUrl: string;
  readonly logger?: Logger;
}

/** Everything that one server process holds. */
@Module({})
export class ServerModule {
  static with({ settings, serverSecret, databaseUrl, logger }: ServerParts): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        KernelModule.with(settings, serverSecret, logger),
        TenancyModule.with(databaseUrl, [...catalogueEntities, ...bookingEntities, ...scanEntities]),
        CatalogueModule,
        BookingModule,
        ScanModule,
        DemoModule,
        PanelModule,
      ],
      controllers: [HealthController, HomeController],
      providers: [Drain],
    };
  }
}
