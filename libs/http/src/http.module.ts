import { Global, Module } from '@nestjs/common';
import { PageTurns } from './request/page-turns.js';
import { ServerLoad } from './server-load.js';
import { ServerStop } from './server-stop.js';

/** Providers that every module with HTTP routes may inject. */
@Global()
@Module({ providers: [PageTurns, ServerLoad, ServerStop], exports: [PageTurns, ServerLoad, ServerStop] })
export class HttpModule {}
