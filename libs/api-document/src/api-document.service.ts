import { Injectable } from '@nestjs/common';
import { ControllerRoutes } from '#tenancy';
import { buildApiDocument, type ApiDocument } from './api-document.js';

/** The document of this program; it does not change while it runs. */
@Injectable()
export class ApiDocumentService {
  private built: ApiDocument | undefined;

  constructor(private readonly routes: ControllerRoutes) {}

  document(): ApiDocument {
    return (this.built ??= buildApiDocument(this.routes.all()));
  }
}
