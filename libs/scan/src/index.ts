export { DoorAppService } from './app/door-app.service.js';
export type { ScanOutcome } from './model/scan-facts.js';
export * from './model/scan-log.entity.js';
export * from './scan.module.js';
export { FulfilmentsService } from './fulfilments/fulfilments.service.js';
export { ScanService } from './scanning/scan.service.js';
export { attemptStatement } from './statements/scan-statement.js';
export { deviceRoles, type DeviceRole } from './model/connection.dto.js';
export * from './devices/scanning-device.entity.js';
export * from './devices/scanning-devices.service.js';
export { downloads, type Download } from './lists/downloads.js';
export {
  conflictDecisions,
  conflictKinds,
  decisionsOn,
  ScanConflict,
  type ConflictDecision,
  type ConflictKind,
} from './journal/scan-conflict.entity.js';
export { ScanConflictDecision } from './journal/scan-conflict-decision.entity.js';
export { ScanConflictsService } from './journal/scan-conflicts.service.js';
export type { BoardDevice, BoardGate, DoorBoard } from './board/door-board.js';
export { DoorBoardService } from './board/door-board.service.js';
export type { Forecast } from './board/forecast.js';
export { GuestListService, guestsPerPage, type Guest, type GuestPage } from './lists/guest-list.service.js';
export { PackWaitsService } from './pack/pack-waits.service.js';
export { ScanLine } from './journal/scan-line.entity.js';
export { Gate, gateTexts } from './gates/gate.entity.js';
export { GateRule } from './gates/gate-rule.entity.js';
export * from './gates/gates.service.js';
export { InsideAuditService, type InsideDrift } from './status/inside-audit.service.js';
export { DeviceContact, deviceNetworks } from './devices/device-contact.entity.js';
export { DeviceCareService } from './devices/device-care.service.js';
export { TeamCode } from './pairing/team-code.entity.js';
export { takenPlaces } from './statements/places-sql.js';
export { teamCodeState, teamCodeStates, type TeamCodeState } from './pairing/team-code-sql.js';
export {
  TeamCodesService,
  teamCodeDefaults,
  type NewTeamCode,
  type TeamCodeChange,
  type TeamCodeOverview,
} from './pairing/team-codes.service.js';
export { QuarantineLine } from './quarantine/quarantine-line.entity.js';
export { QuarantineLinesService, type QuarantinedLine } from './quarantine/quarantine-lines.service.js';
