export type { DoorEngine } from './core/types.js';
