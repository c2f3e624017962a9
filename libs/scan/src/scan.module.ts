import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { MembershipsModule } from '#memberships';
import { TicketsModule } from '#tickets';
import { CatalogueModule } from '#catalogue';
import { CardsModule } from '#cards';
import { SETTINGS, type Settings } from '#kernel';
import { RetentionService, TenantHoldings } from '#tenancy';
import { PayloadRenderers } from '#webhooks';
import { DoorBoardService } from './board/door-board.service.js';
import { ContactController } from './contact/contact.controller.js';
import { ContactService } from './contact/contact.service.js';
import { DeviceContact } from './devices/device-contact.entity.js';
import { DoorAppController } from './app/door-app.controller.js';
import { DoorAppService } from './app/door-app.service.js';
import { FulfilmentsController } from './fulfilments/fulfilments.controller.js';
import { FulfilmentsService } from './fulfilments/fulfilments.service.js';
import { GateRule } from './gates/gate-rule.entity.js';
import { Gate } from './gates/gate.entity.js';
import { GatesService } from './gates/gates.service.js';
import { JournalController } from './journal/journal.controller.js';
import { JournalService } from './journal/journal.service.js';
import { LineEventsService } from './journal/line-events.service.js';
import { ScanConflictDecision } from './journal/scan-conflict-decision.entity.js';
import { ScanConflict } from './journal/scan-conflict.entity.js';
import { ScanConflictsService } from './journal/scan-conflicts.service.js';
import { ScanLine } from './journal/scan-line.entity.js';
import { DoorLease } from './leases/door-lease.entity.js';
import { LeasesService } from './leases/leases.service.js';
import { DoorListsController } from './lists/door-lists.controller.js';
import { DoorListsService } from './lists/door-lists.service.js';
import { GuestListService } from './lists/guest-list.service.js';
import { DeviceAccessService } from './devices/device-access.service.js';
import { DeviceCareService } from './devices/device-care.service.js';
import { DeviceKey } from './devices/device-key.entity.js';
import { PairingController } from './devices/pairing.controller.js';
import { PairingService } from './devices/pairing.service.js';
import { InstallationsService } from './pairing/installations.service.js';
import { PracticeController } from './pairing/practice.controller.js';
import { PracticeTicketsService } from './pairing/practice-tickets.service.js';
import { PairController } from './pairing/pair.controller.js';
import { TeamCode } from './pairing/team-code.entity.js';
import { TeamCodesService } from './pairing/team-codes.service.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { QuarantineLine } from './quarantine/quarantine-line.entity.js';
import { QuarantineLinesService } from './quarantine/quarantine-lines.service.js';
import { QuarantineService } from './quarantine/quarantine.service.js';
import { ReferencesController } from './references/references.controller.js';
import { ReferencesService } from './references/references.service.js';
import { ScanLogEntry } from './model/scan-log.entity.js';
import { ScanController } from './scanning/scan.controller.js';
import { toScannedTicket, toUndoneTicket } from './model/scan-webhooks.dto.js';
import { ScanService } from './scanning/scan.service.js';
import { ScanningDevice } from './devices/scanning-device.entity.js';
import { ScanningDevicesService } from './devices/scanning-devices.service.js';
import { InsideAuditService } from './status/inside-audit.service.js';
import { DoorStatusController } from './status/status.controller.js';
import { DoorStatusService } from './status/status.service.js';
import { DoorSignals } from './pack/door-signals.js';
import { NamesService } from './pack/names.service.js';
import { PackController } from './pack/pack.controller.js';
import { PackSaltService } from './pack-data/pack-salt.service.js';
import { PackService } from './pack/pack.service.js';
import { PackWaitsService } from './pack/pack-waits.service.js';
import { SealedNamesService } from './pack/sealed-names.service.js';
import { texts } from './locales/scan.texts.js';

export const scanEntities = [
  ScanningDevice,
  DeviceKey,
  DeviceContact,
  TeamCode,
  QuarantineLine,
  ScanLogEntry,
  Gate,
  GateRule,
  ScanLine,
  ScanConflict,
  ScanConflictDecision,
  DoorLease,
];

@Module({
  imports: [CatalogueModule, TicketsModule, MembershipsModule, CardsModule],
  controllers: [
    ScanController,
    FulfilmentsController,
    DoorListsController,
    ReferencesController,
    DoorStatusController,
    JournalController,
    PairingController,
    PairController,
    PracticeController,
    ContactController,
    QuarantineController,
    PackController,
    DoorAppController,
  ],
  providers: [
    DoorAppService,
    ScanService,
    FulfilmentsService,
    DoorBoardService,
    DoorListsService,
    ReferencesService,
    DoorSignals,
    DoorStatusService,
    GatesService,
    GuestListService,
    InsideAuditService,
    JournalService,
    LineEventsService,
    LeasesService,
    NamesService,
    PackSaltService,
    PackService,
    PackWaitsService,
    PairingService,
    ScanConflictsService,
    ScanningDevicesService,
    DeviceAccessService,
    DeviceCareService,
    InstallationsService,
    TeamCodesService,
    PracticeTicketsService,
    ContactService,
    QuarantineService,
    QuarantineLinesService,
    SealedNamesService,
  ],
  exports: [
    DoorAppService,
    ScanService,
    FulfilmentsService,
    DoorBoardService,
    GatesService,
    GuestListService,
    InsideAuditService,
    ScanConflictsService,
    ScanningDevicesService,
    DeviceCareService,
    TeamCodesService,
    PracticeTicketsService,
    QuarantineLinesService,
  ],
})
export class ScanModule implements OnModuleInit {
  constructor(
    private readonly renderers: PayloadRenderers,
    private readonly retention: RetentionService,
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.renderers.add('ticket.scanned', toScannedTicket);
    this.renderers.add('ticket.scan_undone', toUndoneTicket);
    this.holdings.add({
      module: 'scanning',
      name: texts.localized('scan.scanningDevices'),
      from: 'from scanning_device where archived_at is null',
    });
    const { scanLogDays: days } = this.settings;
    this.retention.add({ name: 'scan log', days, table: 'scan_log', key: 'id', time: 'recorded_at' });
    this.retention.add({ name: 'journals of devices', days, table: 'scan_line', key: 'id', time: 'recorded_at' });
    this.retention.add({ name: 'double entries', days, table: 'scan_conflict', key: 'id', time: 'found_at' });
    this.retention.add({ name: 'quarantine of journals', days, table: 'quarantine_line', key: 'id', time: 'received_at' });
  }
}
