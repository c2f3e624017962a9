import { Module } from '@nestjs/common';
import { ApiDocumentController } from './api-document.controller.js';
import { ApiDocumentService } from './api-document.service.js';

/** The API document and its page. */
@Module({ controllers: [ApiDocumentController], providers: [ApiDocumentService], exports: [ApiDocumentService] })
export class ApiDocumentModule {}
