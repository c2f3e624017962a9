import { Module } from '@nestjs/common';
import { MembershipsModule } from '#memberships';
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

@Module({
  imports: [JobsModule, CatalogueModule, TicketsModule, MembershipsModule, WaitingModule, PlacesModule, ScanModule],
  providers: [DemoService, DemoAdministrator, DemoFinishService, DemoContent, DemoStage, DemoPicturesService],
  exports: [DemoService],
})
export class DemoModule {}
