import { Injectable } from '@nestjs/common';
import { ServerLoad } from '#http';
import { TokenBuckets } from '#kernel';
import { limits } from '../limits.js';

/** Mails may wait, people at the door may not. A worker process, which answers nobody, sends without pauses. */
@Injectable()
export class MailPace {
  private readonly turns = new TokenBuckets(1);

  constructor(private readonly load: ServerLoad) {}

  /** Resolves when the next mail may be composed. */
  async turn(): Promise<void> {
    if (this.load.inUse) await this.turns.turn('mails', limits.mails.rate);
  }
}
