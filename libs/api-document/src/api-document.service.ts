import { Injectable, type INestApplication } from '@nestjs/common';
import { ControllerRoutes } from '#tenancy';
import { buildApiDocument, type ApiDocument } from './api-document.js';

/** The API document of this program, which does not change at run time. */
@Injectable()
export class ApiDocumentService {
  private app: INestApplication | undefined;
  private built: ApiDocument | undefined;

  constructor(private readonly routes: ControllerRoutes) {}

  /** Sets the application that is described. The document is built on first use. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** Returns the document; builds it on the first call. */
  document(): ApiDocument {
    if (!this.app) throw new Error('The API document describes an HTTP application, and there is none.');
    return (this.built ??= buildApiDocument(this.routes.all(), this.app));
  }
}
