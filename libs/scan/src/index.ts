export type { ScanOutcome } from './scan-facts.js';
export * from './scan-log.entity.js';
export * from './scan.module.js';
export { FulfilmentsService } from './fulfilments.service.js';
export { Scan } from './scan.service.js';
export { attemptStatement } from './scan-statement.js';
export * from './scanning-device.entity.js';
export * from './scanning-devices.service.js';
