import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { endDrawingThreads, setDrawingThreads } from './threads/shared-threads.js';
import { MailTransportService } from './transport/mail-transport.service.js';

@Module({ providers: [MailTransportService], exports: [MailTransportService] })
export class MessagesModule implements OnModuleInit, OnApplicationShutdown {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'drawingThreads'>) {}

  onModuleInit(): Promise<void> {
    return setDrawingThreads(this.settings.drawingThreads);
  }

  onApplicationShutdown(): Promise<void> {
    return endDrawingThreads();
  }
}
