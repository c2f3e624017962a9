import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BookingModule } from '#booking';
import { CardsModule } from '#cards';
import { SETTINGS, type Settings } from '#kernel';
import { Retention, TenantHoldings } from '#tenancy';
import { PayloadRenderers } from '#webhooks';
import { FulfilmentsController } from './fulfilments.controller.js';
import { FulfilmentsService } from './fulfilments.service.js';
import { DoorListsController } from './lists/door-lists.controller.js';
import { DoorLists } from './lists/door-lists.service.js';
import { PairingController } from './pairing.controller.js';
import { Pairing } from './pairing.service.js';
import { ScanLogEntry } from './scan-log.entity.js';
import { ScanController } from './scan.controller.js';
import { toScannedTicket, toUndoneTicket } from './scan-webhooks.dto.js';
import { Scan } from './scan.service.js';
import { ScanningDevice } from './scanning-device.entity.js';
import { ScanningDevices } from './scanning-devices.service.js';

export const scanEntities = [ScanningDevice, ScanLogEntry];

@Module({
  imports: [BookingModule, CardsModule],
  controllers: [ScanController, FulfilmentsController, DoorListsController, PairingController],
  providers: [Scan, FulfilmentsService, DoorLists, Pairing, ScanningDevices],
  exports: [Scan, FulfilmentsService, ScanningDevices],
})
export class ScanModule implements OnModuleInit {
  constructor(
    private readonly faces: PayloadRenderers,
    private readonly retention: Retention,
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.faces.add('ticket.scanned', toScannedTicket);
    this.faces.add('ticket.scan_undone', toUndoneTicket);
    this.holdings.add({
      module: 'scanning',
      name: { en: 'scanning devices', fr: 'appareils de contrôle' },
      from: 'from scanning_device where archived_at is null',
    });
    const { scanLogDays: days } = this.settings;
    this.retention.add({ name: 'scan log', days, table: 'scan_log', key: 'id', time: 'recorded_at' });
  }
}
