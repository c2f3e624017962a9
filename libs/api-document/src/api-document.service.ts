import { Injectable, type INestApplication } from '@nestjs/common';
import { ControllerRoutes } from '#tenancy';
import { buildApiDocument, type ApiDocument } from './api-document.js';

/** The document of this program; it does not change while it runs. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private built: ApiDocument | undefined;

  constructor(private readonly routes: ControllerRoutes) {}

  /** Says which application is described. Nothing is built before somebody asks for the document. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  document(): ApiDocument {
    if (!this.app) throw new Error('The API document describes an HTTP application, and there is none.');
    return (this.built ??= buildApiDocument(this.routes.all(), this.app));
  }
}
