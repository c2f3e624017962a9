import { Injectable } from '@nestjs/common';
import { ServerLoad, SpacedTurns } from '#http';

/**
 * Milliseconds between the beginnings of two mails while people use this process: a mail with tickets takes a third of it, so that scans
 * and pages keep most of the processor.
 */
const spacingMs = 30;

/** Mails may wait, people at the door may not. A worker process, which answers nobody, sends without pauses. */
@Injectable()
export class MailPace {
  private readonly turns = new SpacedTurns(spacingMs);

  constructor(private readonly load: ServerLoad) {}

  /** Resolves when the next mail may be composed. */
  async turn(): Promise<void> {
    if (this.load.inUse) await this.turns.wait();
  }
}
