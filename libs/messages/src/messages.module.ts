import { Module } from '@nestjs/common';
import { MailTransportService } from './transport/mail-transport.service.js';

@Module({ providers: [MailTransportService], exports: [MailTransportService] })
export class MessagesModule {}
