import { Injectable } from '@nestjs/common';
import { DoorApp } from './door-app.js';

/** The scanner app that this server hands out. */
@Injectable()
export class DoorAppService {
  private read: DoorApp | undefined;

  /** Read at the first use, because workers and commands never need it. */
  get app(): DoorApp {
    this.read ??= DoorApp.read();
    return this.read;
  }

  /** Identifies the build: scanners with another one fetch the new app. */
  get version(): string {
    return this.app.version;
  }
}
