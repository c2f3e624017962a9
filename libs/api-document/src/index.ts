export type { ApiDocument } from './api-document.js';
export { documented } from './api-document.js';
export * from './api-document.module.js';
export * from './api-document.service.js';
