import type { Settings } from '#kernel';
import type { GatheredEvent } from '#places';
import { tenantUrl } from '#tenancy';
import type { ListedEvent } from '../public-events/public-events.service.js';

/** Adds the address of its sender to a network's event. */
export function toListedEvent(event: GatheredEvent, settings: Settings): ListedEvent {
  const { id, name, slug, timeZone } = event.sender;
  return { ...event, sender: { id, name, slug, timeZone, home: tenantUrl(settings, event.sender, '') } };
}
