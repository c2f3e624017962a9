import {
  applyDecorators,
  createParamDecorator,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import express, { type Request, type Response } from 'express';
import pLimit from 'p-limit';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { formTypeOf } from './http-body.js';
import { bodyFault } from './http-walls.js';
import { problem } from './kernel.problems.js';
import { fieldTooLong, formFault, formLimits, readMultipart, tooManyFields, type ReadForm } from './multipart.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Files of the form that was read, by field. */
    formFiles?: Readonly<Record<string, Buffer>>;
  }
}

export interface FormOptions {
  /** Fields that take one file of at most 10 MiB each. */
  readonly files?: readonly string[];
  /** Members whose text may be a JSON object or list, as a form has no other way to nest. */
  readonly nested?: readonly string[];
  /** Members that are whole numbers, which a form can only write. */
  readonly numbers?: readonly string[];
  /** Members that are lists: one text alone is a list of one. */
  readonly lists?: readonly string[];
  /** So long may the form take to arrive; 30 without it. */
  readonly seconds?: number;
}

const takesForm = 'guichet:takes-form';

/** Forms with files hold their bytes until they are answered: so many at a time bound the memory, and others wait unread. */
const inTurn = pLimit(8);

/**
 * Lets a route take multipart/form-data and application/x-www-form-urlencoded beside JSON. The form is read after the caller's right was
 * checked; its text fields become the body, as strings, and its files come through `@FormFiles()`.
 */
export function TakesForm(options: FormOptions = {}): MethodDecorator {
  const reader = new FormReader(options);
  return applyDecorators(SetMetadata(takesForm, reader), UseInterceptors(reader));
}

/**
 * Reads the form of a request, when it is one and its route takes it, in front of `next`: for who must know the whole request before the
 * route does. The route's own reader then has nothing left to read.
 */
export function readFormFirst(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
  const reader = Reflect.getMetadata(takesForm, context.getHandler()) as FormReader | undefined;
  return reader ? reader.intercept(context, next) : next.handle();
}

/** The files of the form, `Partial<Record<Field, Buffer>>`; empty for JSON. */
export const FormFiles = createParamDecorator(
  (_options: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().formFiles ?? {},
);

/** Refuses forms (415), unread, on every route without `@TakesForm`. */
export class FormWall implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (formTypeOf(context.switchToHttp().getRequest<Request>()) === undefined) return true;
    if (this.reflector.get<FormReader | undefined>(takesForm, context.getHandler())) return true;
    throw problem('body.unsupported_type');
  }
}

class FormReader implements NestInterceptor {
  private readonly files: readonly string[];
  private readonly nested: readonly string[];
  private readonly numbers: readonly string[];
  private readonly lists: readonly string[];
  private readonly seconds: number;

  constructor({ files = [], nested = [], numbers = [], lists = [], seconds = 30 }: FormOptions) {
    this.files = files;
    this.nested = nested;
    this.numbers = numbers;
    this.lists = lists;
    this.seconds = seconds;
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const type = formTypeOf(request);
    if (type === undefined || request.formFiles) return next.handle();
    const answer = async (): Promise<unknown> => {
      const form =
        type === 'multipart'
          ? await readMultipart(request, response, this.files, this.seconds)
          : { fields: await readUrlencoded(request, response), files: {} };
      request.body = this.bodyOf(form);
      request.formFiles = form.files;
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    };
    return from(type === 'multipart' ? inTurn(answer) : answer());
  }

  private bodyOf({ fields }: ReadForm): Record<string, unknown> {
    const body: Record<string, unknown> = { ...fields };
    for (const name of this.files) {
      // A browser sends an empty text, or an empty file name, where nothing was chosen.
      if (body[name] !== undefined && body[name] !== '') {
        throw formFault(name, 'file', { en: 'Send this field as a file.', fr: 'Envoyez ce champ comme un fichier.' });
      }
      delete body[name];
    }
    for (const name of this.nested) if (Object.hasOwn(body, name)) body[name] = nestedValue(name, body[name]);
    for (const name of this.numbers) if (/^\d{1,9}$/.test(String(body[name]))) body[name] = Number(body[name]);
    for (const name of this.lists) if (typeof body[name] === 'string') body[name] = body[name] === '' ? [] : [body[name]]; // prettier-ignore
    const fault = bodyFault(body);
    if (fault) throw fault;
    return body;
  }
}

function nestedValue(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw formFault(name, 'json', {
      en: 'This looks like JSON and is not valid.',
      fr: "Ceci ressemble à du JSON et n'est pas valide.",
    });
  }
}

const urlencoded = express.urlencoded({
  extended: false,
  limit: formLimits.textBytes,
  parameterLimit: formLimits.fields,
  type: () => true,
});

async function readUrlencoded(request: Request, response: Response): Promise<ReadForm['fields']> {
  await new Promise<void>((resolve, reject) => {
    urlencoded(request, response, (error?: unknown) => {
      if (!error) resolve();
      else reject((error as { type?: string }).type === 'parameters.too.many' ? tooManyFields() : (error as Error));
    });
  });
  const fields = (request.body ?? {}) as Record<string, unknown>;
  const tooLong = (value: unknown): boolean =>
    typeof value === 'string' && Buffer.byteLength(value) > formLimits.fieldBytes;
  if (Object.values(fields).flat().some(tooLong)) throw fieldTooLong();
  return fields;
}
