import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { kernelProblem as problem } from '#kernel';
import { decodeUtf8, formTypeOf } from '../request/http-body.js';
import { limits } from '../limits.js';
import { bodyFault } from '../request/request-limits.js';
import { jsonFault, jsonProblem } from '../request/json-size.js';
import type { MeasureSender } from './senders.js';
import { inUploadTurn, type FormContent } from './upload-turns.js';
import { fieldTooLong, formFault, formLimits, readMultipart, tooManyFields, type ReadForm } from './multipart.js';
import { texts } from '../locales/http.texts.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Files of the form that was read, by field. */
    formFiles?: Readonly<Record<string, Buffer>>;
  }
}

export interface FormOptions {
  /** File fields; each accepts one file of at most 10 MiB. */
  readonly files?: readonly string[];
  /** Members whose text may be JSON, because a form cannot nest values otherwise. */
  readonly nested?: readonly string[];
  /** Members that are whole numbers, which a form sends as text. */
  readonly numbers?: readonly string[];
  /** Members that are lists: a single text becomes a list with one item. */
  readonly lists?: readonly string[];
  /** Members that cannot be null: their text is used as it is. For others an empty text and `null` become JSON null. */
  readonly required?: readonly string[];
  /** Time limit for receiving the form in seconds; default 30. */
  readonly seconds?: number;
}

const formKey = 'guichet:takes-form';

/**
 * Lets a route accept multipart/form-data and application/x-www-form-urlencoded beside JSON. The form is read after authorisation; its text
 * fields become the body, as strings, and `@FormFiles()` injects its files.
 */
export function TakesForm(options: FormOptions = {}): MethodDecorator {
  const reader = new FormReader(options);
  return applyDecorators(SetMetadata(formKey, reader), UseInterceptors(reader));
}

/**
 * Reads the form before `next`, when the request is one and its route accepts it, for interceptors that need the whole request. The route's
 * own reader then does nothing.
 */
export function readFormFirst(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
  const reader = Reflect.getMetadata(formKey, context.getHandler()) as FormReader | undefined;
  return reader ? reader.intercept(context, next) : next.handle();
}

/** Names of the file fields of a route that accepts forms; undefined for other routes. */
export function formFilesOf(handler: object): readonly string[] | undefined {
  return (Reflect.getMetadata(formKey, handler) as FormReader | undefined)?.files;
}

/** The files of the form, `Partial<Record<Field, Buffer>>`; empty for JSON. */
export const FormFiles = createParamDecorator(
  (_options: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().formFiles ?? {},
);

/** Whether a route accepts forms. */
export function takesForm(handler: object): boolean {
  return Reflect.hasMetadata(formKey, handler);
}

/** A form that was read and whose fields are valid as a body. */
interface AcceptedForm {
  readonly body: Record<string, unknown>;
  readonly files: ReadForm['files'];
}

function contentOf({ files }: AcceptedForm): FormContent {
  return Object.keys(files).length > 0 ? 'files' : 'texts';
}

class FormReader implements NestInterceptor {
  readonly files: readonly string[];
  private readonly nested: readonly string[];
  private readonly numbers: readonly string[];
  private readonly lists: readonly string[];
  private readonly required: readonly string[];
  private readonly seconds: number;

  constructor({ files = [], nested = [], numbers = [], lists = [], required = [], seconds = limits.formTime.number }: FormOptions) {
    this.files = files;
    this.nested = nested;
    this.numbers = numbers;
    this.lists = lists;
    this.required = required;
    this.seconds = seconds;
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const type = formTypeOf(request);
    if (type === undefined || request.formFiles) return next.handle();
    const accept = ({ fields, files }: ReadForm): AcceptedForm => ({ body: this.bodyOf({ fields, files }), files });
    const use = ({ body, files }: AcceptedForm): Promise<unknown> => {
      request.body = body;
      request.formFiles = files;
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    };
    if (type === 'multipart') {
      const read = (measure: MeasureSender): Promise<AcceptedForm> =>
        readMultipart(request, this.files, this.seconds, measure).then(accept);
      return from(inUploadTurn(request, response, { read, contentOf, use }));
    }
    return from(readUrlencoded(request, response).then((fields) => use(accept({ fields, files: {} }))));
  }

  private bodyOf({ fields }: ReadForm): Record<string, unknown> {
    const body: Record<string, unknown> = { ...fields };
    for (const name of this.files) {
      // Browsers send an empty text, or an empty file name, when no file was chosen.
      if (body[name] !== undefined && body[name] !== '') {
        throw formFault(name, 'file', texts.localized('httpForm.fileRequired'));
      }
      delete body[name];
    }
    for (const [name, value] of Object.entries(body)) {
      if ((value === '' || value === 'null') && !this.required.includes(name)) body[name] = null;
    }
    for (const name of this.nested) if (Object.hasOwn(body, name)) body[name] = nestedValue(name, body[name]);
    for (const name of this.numbers) if (/^\d{1,9}$/.test(String(body[name]))) body[name] = Number(body[name]);
    for (const name of this.lists) if (typeof body[name] === 'string') body[name] = [body[name]];
    const fault = bodyFault(body);
    if (fault) throw fault;
    return body;
  }
}

function nestedValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const fault = jsonFault(Buffer.from(value));
  if (fault) throw jsonProblem(fault);
  try {
    return JSON.parse(value);
  } catch {
    throw formFault(name, 'json', texts.localized('httpForm.invalidJson'));
  }
}

const rawBody = express.raw({ limit: formLimits.textBytes, inflate: false, type: () => true });

/** @throws Problem request.text, body.malformed, body.too_large, and what Express throws */
async function readUrlencoded(request: Request, response: Response): Promise<ReadForm['fields']> {
  await new Promise<void>((resolve, reject) => {
    rawBody(request, response, (error?: Error) => (error ? reject(error) : resolve()));
  });
  // Without a body Express sets no buffer.
  return Buffer.isBuffer(request.body) ? parsedForm(decodeUtf8(request.body)) : {};
}

function parsedForm(text: string): Record<string, string | string[]> {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let values = 0;
  let members = 0;
  for (let at = 0; at <= text.length;) {
    const next = text.indexOf('&', at);
    const pair = text.slice(at, next === -1 ? text.length : next);
    at = next === -1 ? text.length + 1 : next + 1;
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decodedPart(split === -1 ? pair : pair.slice(0, split));
    const value = decodedPart(split === -1 ? '' : pair.slice(split + 1));
    if (Buffer.byteLength(value) > formLimits.fieldBytes) throw fieldTooLong();
    const before = fields[name];
    values += 1;
    if (before === undefined) members += 1;
    if (members > formLimits.members || values > formLimits.values) throw tooManyFields();
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return fields;
}

function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw problem('request.text');
  }
}
