import { Global, Module } from '@nestjs/common';
import { ServerLoad } from './server-load.js';

/** Providers that every module with HTTP routes may inject. */
@Global()
@Module({ providers: [ServerLoad], exports: [ServerLoad] })
export class HttpModule {}
