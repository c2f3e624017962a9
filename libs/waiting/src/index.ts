export { BookingQueueService, type Held, type RefusedSpot, type Waits } from './queue/booking-queue.service.js';
export { WaitingEntry, type WaitingStatus, waitingStates } from './waiting/waiting-entry.entity.js';
export { WaitingLinks } from './waiting/waiting-links.js';
export { WaitingListService } from './waiting/waiting-list.service.js';
export { WaitingProposalsService } from './waiting/waiting-proposals.service.js';
export { RefusedWaiting } from './waiting/waiting-refusals.js';
export { type ShownEntry, codeStateOf, mostPlaces } from './waiting/waiting-rows.js';
export { waitingEntities, WaitingModule } from './waiting.module.js';
