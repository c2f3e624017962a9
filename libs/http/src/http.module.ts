import { Global, Module } from '@nestjs/common';
import { ServerLoad } from './server-load.js';
import { ServerStop } from './server-stop.js';

/** Providers that every module with HTTP routes may inject. */
@Global()
@Module({ providers: [ServerLoad, ServerStop], exports: [ServerLoad, ServerStop] })
export class HttpModule {}
