import { signal } from '@preact/signals';
import { DoorError } from '../core/types.js';

/**
 * What the first screen does not wait for, once it is there: the other screens and the sheets, with their texts and styles. The service
 * worker stores them with the rest.
 */
export const laterParts = signal<typeof import('../screens/later.js') | null>(null);

/** @throws DoorError `part` when neither the phone nor the network has the files */
export async function loadLaterParts(): Promise<void> {
  if (laterParts.value) return;
  try {
    const parts = await import('../screens/later.js');
    await parts.prepare();
    laterParts.value = parts;
  } catch {
    throw new DoorError('part');
  }
}
