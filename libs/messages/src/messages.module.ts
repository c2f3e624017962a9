import { Module } from '@nestjs/common';
import { MailTransport } from './transport/mail-transport.service.js';

@Module({ providers: [MailTransport], exports: [MailTransport] })
export class MessagesModule {}
