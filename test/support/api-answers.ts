import { appendFileSync } from 'node:fs';
import { ApiDocumentService, documented, type ApiDocument } from '#api-document';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';

/** A response that does not match the API document. */
export class UndocumentedAnswerError extends Error {}

interface SentEvent {
  readonly type: string;
  readonly data: object;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>>;
}

const recorded = new Set<string>();

/**
 * Records a problem code that a test provoked, for the check that every documented problem is tested. Tests on raw sockets call it
 * directly.
 */
export function recordProvoked(code: string): void {
  const file = process.env['GUICHET_PROVOKED'];
  if (!file || recorded.has(code)) return;
  recorded.add(code);
  appendFileSync(file, `${code}\n`);
}

/** A validator for schemas that refer to the components of a document. */
export function schemaValidator(document: ApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // OpenAPI's format for bytes.
  ajv.addFormat('binary', true);
  // A format of JSON Schema that the library does not implement: an e-mail address in any script.
  ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
  return ajv.addSchema({ $id: 'document', ...document }, 'document');
}

/** Compares responses with the API document. */
export class DocumentedAnswers {
  private readonly document: ApiDocument;
  private readonly ajv: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly paths: readonly { readonly pattern: RegExp; readonly path: string }[];

  constructor(app: NestExpressApplication) {
    this.document = app.get(ApiDocumentService).document();
    this.ajv = schemaValidator(this.document);
    this.paths = Object.keys(this.document.paths)
      // Literal paths precede paths with parameters, as in the router.
      .toSorted((one, other) => one.split('{').length - other.split('{').length)
      .map((path) => ({
        path,
        pattern: new RegExp(
          `^${path
            .replace(/\/$/, '')
            .replace(/[.]/g, '\\.')
            .replace(/\{\w+\}/g, '[^/]+')}/?$`,
          'i',
        ),
      }));
  }

  /** @throws UndocumentedAnswerError */
  check(method: string, address: string, answer: Response): void {
    const path = address.split('?')[0] ?? '';
    const { code } = answer.body as { code?: string };
    if (answer.type === 'application/problem+json' && code) recordProvoked(code);
    if (!documented.test(path)) return;
    const known = this.paths.find(({ pattern }) => pattern.test(path));
    const item = known && (this.document.paths[known.path] as Readonly<Record<string, unknown>>);
    const operation = (item?.[method] ?? (method === 'head' ? item?.['get'] : undefined)) as Operation | undefined;
    // Requests without a route get 404 or 405 before any controller.
    if (!known || !operation) return;
    const where = `${method.toUpperCase()} ${known.path} ${answer.status}`;
    const described = operation.responses[String(answer.status)];
    if (!described) throw new UndocumentedAnswerError(`${where} is not in the API document: ${answer.text}`);
    if (method === 'head' || (answer.get('Preference-Applied') === 'return=minimal' && answer.text === '')) return;
    const type = (answer.headers['content-type'] ?? '').split(';')[0] as string;
    const schema = described.content?.[type]?.schema;
    if (!schema) {
      if (described.content || answer.text) throw new UndocumentedAnswerError(`${where} is not documented as "${type}": ${answer.text}`);
      return;
    }
    if (type === 'application/problem+json') this.checkCode(where, described, code);
    if (!type.endsWith('json')) return;
    const key =
      `#/paths/${known.path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${answer.status}/content/` +
      `${type.replaceAll('/', '~1')}/schema`;
    const validate = this.validator(key);
    if (!validate(answer.body)) {
      throw new UndocumentedAnswerError(`${where} does not fit its schema: ${this.ajv.errorsText(validate.errors)}: ${answer.text}`);
    }
    if (where.endsWith('/webhook-events/ 200')) this.checkWebhooks((answer.body as { results: SentEvent[] }).results);
  }

  /** The feed shows what webhooks send. Tests of the feed itself write events that have an identifier only. */
  private checkWebhooks(events: readonly SentEvent[]): void {
    for (const { type, data } of events) {
      const validate = this.validator(`#/webhooks/${type}/post/requestBody/content/application~1json/schema/properties/data`);
      const isWritten = Object.keys(data).every((name) => name === 'identifier' || name === 'sequence');
      if (isWritten || validate(data)) continue;
      throw new UndocumentedAnswerError(
        `${type} does not fit its schema: ${this.ajv.errorsText(validate.errors)}: ${JSON.stringify(data)}`,
      );
    }
  }

  private checkCode(where: string, described: object, code: string | undefined): void {
    const { content } = described as { content: Record<string, { examples?: Record<string, unknown> }> };
    const codes = Object.keys(content['application/problem+json']?.examples ?? {});
    if (!code || !codes.includes(code)) throw new UndocumentedAnswerError(`${where} answers ${code}, documented are ${codes.join(', ')}`);
  }

  private validator(key: string): ValidateFunction {
    let validate = this.compiled.get(key);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `document${encodeURI(key)}` });
      this.compiled.set(key, validate);
    }
    return validate;
  }
}
