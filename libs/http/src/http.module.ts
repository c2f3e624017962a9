import { Global, Module } from '@nestjs/common';
import { ServerLoad } from './server-load.js';

/** What every module that answers over HTTP may inject. */
@Global()
@Module({ providers: [ServerLoad], exports: [ServerLoad] })
export class HttpModule {}
