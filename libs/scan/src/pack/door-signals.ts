import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { currentTenant } from '#tenancy';

/** Tells this process that tickets of the current tenant moved. Other processes look themselves. */
@Injectable()
export class DoorSignals {
  private readonly emitter = new EventEmitter();

  /** Call it after the commit. */
  moved(): void {
    this.emitter.emit('moved', currentTenant().id);
  }

  /** @returns ends it */
  subscribe(listener: (tenantId: string) => void): () => void {
    this.emitter.on('moved', listener);
    return () => void this.emitter.off('moved', listener);
  }
}
