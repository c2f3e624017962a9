import type { DoorState } from '../core/types.js';
import { isRunning } from './suggestion.js';

/**
 * Whether the newer build may start on a tap: everything is sent, and no door is open.
 * @param now milliseconds since 1970
 */
export function mayRestart({ phase, event, network }: DoorState, now: number): boolean {
  return network.unsent === 0 && !(phase === 'open' && event !== null && isRunning(event, now));
}
