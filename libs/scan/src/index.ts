export type { ScanOutcome } from './model/scan-facts.js';
export * from './model/scan-log.entity.js';
export * from './scan.module.js';
export { FulfilmentsService } from './fulfilments/fulfilments.service.js';
export { ScanService } from './scanning/scan.service.js';
export { attemptStatement } from './statements/scan-statement.js';
export * from './devices/scanning-device.entity.js';
export * from './devices/scanning-devices.service.js';
