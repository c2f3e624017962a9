import { Module, type DynamicModule } from '@nestjs/common';
import { isOwnDemo, type Settings } from '#kernel';
import { MembershipsModule } from '#memberships';
import { PaymentsModule } from '#payments';
import { SellingModule } from '#selling';
import { TicketsModule } from '#tickets';
import { WaitingModule } from '#waiting';
import { CatalogueModule } from '#catalogue';
import { JobsModule } from '#jobs';
import { PlacesModule } from '#places';
import { ScanModule } from '#scan';
import { DemoContent } from './content/demo-content.js';
import { DemoStage } from './content/demo-stage.js';
import { DemoPicturesService } from './pictures/demo-pictures.service.js';
import { DemoAdministrator } from './demo-administrator.service.js';
import { DemoFinishService } from './demo-finish.service.js';
import { DemoService } from './demo.service.js';
import { PracticePaymentsModule } from './practice/practice-payments.module.js';

@Module({})
export class DemoModule {
  /** The services that fill a demo, and the practice payments of a program that is one on `localhost`: never on a real domain. */
  static with(settings: Pick<Settings, 'demo' | 'baseDomain'>): DynamicModule {
    const content = [JobsModule, CatalogueModule, PaymentsModule, TicketsModule, MembershipsModule, SellingModule];
    return {
      module: DemoModule,
      imports: [...content, WaitingModule, PlacesModule, ScanModule, ...(isOwnDemo(settings) ? [PracticePaymentsModule] : [])],
      providers: [DemoService, DemoAdministrator, DemoFinishService, DemoContent, DemoStage, DemoPicturesService],
      exports: [DemoService],
    };
  }
}
