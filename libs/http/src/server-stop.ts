import { Injectable } from '@nestjs/common';

/** Tells requests that wait for something that the server stops: their clients find another process. */
@Injectable()
export class ServerStop {
  private readonly controller = new AbortController();

  /** Aborts when the server accepts no more connections. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    this.controller.abort();
  }
}
