import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiNotModifiedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Describe, reply, type Reply } from '#http';
import { currentLanguage, kernelProblem } from '#kernel';
import { Access, currentTenant } from '#tenancy';
import { ApiDocumentService } from './api-document.service.js';
import { clientDocument } from './clients/client-document.js';
import { readerPage, readerScript } from './reader-page.js';

const reader = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const readerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

/** Allows what Swagger UI needs: inline styles, data URLs and requests to this host. */
const readerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const docs = {
  summary: 'A page to read this document',
  description: 'Lists the operations and sends requests to this host. Everything it loads comes from here.',
};
const page = { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } };

const openApi = {
  description: 'OpenAPI 3.1',
  schema: { type: 'object', additionalProperties: true },
  headers: { ETag: { description: 'Send it back in If-None-Match.' } },
} as const;

/** The API document and a page to read it. */
@Controller('api/v2')
@ApiTags('This document')
@Access('public')
export class ApiDocumentController {
  private text: Rendered | undefined;
  private clientText: Rendered | undefined;

  constructor(private readonly documentation: ApiDocumentService) {}

  @Get('openapi.json')
  @Describe({ summary: 'This document', description: 'OpenAPI 3.1, generated from the code.' })
  @ApiOkResponse(openApi)
  @ApiNotModifiedResponse({ description: 'Not changed' })
  json(): Reply<string> {
    return sent((this.text ??= rendered(this.documentation.document())));
  }

  @Get('openapi-clients.json')
  @Describe({
    summary: 'This document for programs that generate clients',
    description: 'The same routes without what such programs misread: webhooks, forms, choices with lists, defaults and examples.',
  })
  @ApiOkResponse(openApi)
  @ApiNotModifiedResponse({ description: 'Not changed' })
  clients(): Reply<string> {
    return sent((this.clientText ??= rendered(clientDocument(this.documentation.document()))));
  }

  @Get('docs')
  @Describe(docs)
  @ApiOkResponse(page)
  @Header('Content-Security-Policy', readerPolicy)
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(): string {
    return readerPage(currentTenant().name, currentLanguage());
  }

  @Get('docs/:file')
  @Describe({ ...docs, summary: 'A file of that page', problems: ['route.unknown'] })
  @ApiParam({ name: 'file', description: 'Its name.', type: String })
  @ApiOkResponse(page)
  async file(@Param('file') file: string): Promise<Reply<string>> {
    if (file === 'reader.js') return asset('text/javascript', readerScript);
    const type = Object.hasOwn(readerFiles, file) ? readerFiles[file] : undefined;
    if (!type) throw kernelProblem('route.unknown');
    return asset(type, await readFile(join(reader, file), 'utf8'));
  }
}

interface Rendered {
  readonly body: string;
  readonly etag: string;
}

function rendered(document: object): Rendered {
  const body = JSON.stringify(document);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function sent({ body, etag }: Rendered): Reply<string> {
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=60', 'Content-Type': 'application/json' };
  return reply(() => Promise.resolve(body), { headers });
}

function asset(type: string, text: string): Reply<string> {
  return reply(text, {
    headers: { 'Cache-Control': 'public, max-age=86400', 'Content-Type': `${type}; charset=utf-8` },
  });
}
