import { Module } from '@nestjs/common';
import { ApiDocumentController } from './api-document.controller.js';
import { ApiDocumentService } from './api-document.service.js';

/** The document of the whole API, and its reader's page. */
@Module({ controllers: [ApiDocumentController], providers: [ApiDocumentService], exports: [ApiDocumentService] })
export class ApiDocumentModule {}
