import { AsyncLocalStorage } from 'node:async_hooks';
import { unlink } from 'node:fs/promises';
import express from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import formidable from 'express-formidable';
import { bodyFault, hasContentCoding, inUploadTurn, refuseLargeJson, Slices, tooSlow, type FormContent, type MeasureSender } from '#http';
import { Problem } from '#kernel';
import { UploadedFile } from '../request/uploaded-file.js';

/** Maximum size of a form in bytes: a picture of 10 MiB and its fields. */
const LARGEST_BODY = 11 * 1024 * 1024;

/** Maximum number of files. No form needs more, and each one is a file in the temporary folder, however small. */
const MOST_FILES = 10;

/** Maximum number of fields. AdminJS sends each value of a list as a separate field. */
const MOST_FIELDS = 2000;

/** The members that AdminJS's plugin reads, and the mark that disables its own reader. */
type ReadRequest = Request & {
  fields?: unknown;
  files?: unknown;
  express_formidable?: { parsed: true };
  /** Every file that was created. The reader itself forgets the first of two files with the same name. */
  uploads?: string[];
};

const refusal = (status: number, message: string): Error => Object.assign(new Error(message), { status });

const readJson = express.json({
  limit: '1mb',
  inflate: false,
  verify: (_request, _response, bytes) => refuseLargeJson(bytes, MOST_FIELDS),
});
/** Forms of pages without AdminJS. */
const readPlainForm = express.urlencoded({ extended: false, inflate: false, limit: '16kb', parameterLimit: 50 });
const readForm = formidable(
  {
    maxFileSize: LARGEST_BODY,
    maxFieldsSize: 2 * 1024 * 1024,
    maxFields: MOST_FIELDS,
    multiples: false,
  },
  [
    {
      event: 'fileBegin',
      action: (request: ReadRequest, _response, _next, _name, { path }) => {
        request.uploads = [...(request.uploads ?? []), path];
        // The reader stops at an error of the request and discards the rest.
        if (request.uploads.length > MOST_FILES) request.emit('error', refusal(400, 'Too many files'));
      },
    },
  ],
);

/** Deletes the files that the reader left in the temporary folder. At the end of the answer nobody needs them any more. */
async function removeUploads({ uploads = [] }: ReadRequest): Promise<void> {
  for (const path of uploads) await unlink(path).catch(() => undefined);
}

/** Browsers send an empty file without a name when no file was chosen. */
function uploadsOf(files: unknown): Record<string, UploadedFile> {
  const sent = Object.entries((files ?? {}) as Record<string, { path: string; size: number }>);
  return Object.fromEntries(sent.flatMap(([name, { path, size }]) => (size > 0 ? [[name, new UploadedFile(path)]] : [])));
}

/** Calls `next` once. The form reader reports an error twice and then also reports the end. */
function once(next: NextFunction): NextFunction {
  let called = false;
  return (error?: unknown) => {
    if (called) return;
    called = true;
    next(error ? refusal(400, 'The form could not be read') : undefined);
  };
}

/**
 * The request as a stream for the form reader, in small slices, because it parses a whole chunk at a time.
 * @param inContext restores the context; the reader calls back from stream events, which would lose tenant and user
 */
function slicesOf(request: ReadRequest, inContext: <Result>(work: () => Result) => Result): ReadRequest {
  const sliced = Object.assign(new Slices(), { headers: request.headers }) as unknown as ReadRequest;
  const emit = sliced.emit.bind(sliced);
  sliced.emit = (...values: Parameters<typeof emit>) => inContext(() => emit(...values));
  request.once('aborted', () => sliced.emit('aborted')).once('error', (error) => sliced.emit('error', error));
  return sliced;
}

/** Resolves when the response is closed, also when it is closed already. */
function closing(response: Response): Promise<void> {
  return response.destroyed ? Promise.resolve() : new Promise((resolve) => response.once('close', resolve));
}

/**
 * Reads a form into the temporary folder. Its files are deleted when the response is closed.
 * @returns the form, with an error when it could not be read
 */
function receive(request: ReadRequest, response: Response, measure: MeasureSender): Promise<{ form: ReadRequest; error?: unknown }> {
  const form = slicesOf(request, AsyncLocalStorage.snapshot());
  const stream = form as unknown as Slices;
  const started = performance.now();
  const stop = (): void => {
    request.unpipe(stream).resume();
    // The reader then closes the file that it writes.
    if (!stream.writableFinished) form.emit('aborted');
    stream.destroy();
  };
  return new Promise((resolve) => {
    const elapsedMs = (): number => performance.now() - started;
    const late = (): void => end(tooSlow(Math.ceil(elapsedMs() / 1000)));
    const endMeasuring = measure(request, late);
    const end = (error?: unknown): void => {
      endMeasuring();
      resolve(error ? { form, error } : { form });
      if (error instanceof Problem) stop();
    };
    void closing(response).then(async () => {
      end(refusal(400, 'The client is gone'));
      stop();
      await removeUploads(form);
    });
    readForm(form, response, once(end));
    request.pipe(stream);
  });
}

/** A form that was read, or the error with which it is refused. */
interface ReceivedForm {
  readonly fields: unknown;
  readonly files: Record<string, UploadedFile>;
  readonly error: unknown;
}

async function checked(received: ReturnType<typeof receive>): Promise<ReceivedForm> {
  const { form, error } = await received;
  const { fields } = form;
  const files = uploadsOf(form.files);
  const namesFault = namesFit(files) ? undefined : refusal(400, 'Unfit field name');
  return { fields, files, error: error ?? fieldsFault(fields) ?? namesFault };
}

function contentOf({ files, error }: ReceivedForm): FormContent {
  if (error !== undefined) return 'nothing';
  return Object.keys(files).length > 0 ? 'files' : 'texts';
}

function readMultipart(request: ReadRequest, response: Response, next: NextFunction): void {
  const inContext = AsyncLocalStorage.snapshot();
  const use = ({ fields, files, error }: ReceivedForm): Promise<void> => {
    Object.assign(request, { fields, files, express_formidable: { parsed: true } });
    const answered = closing(response);
    next(error);
    return answered;
  };
  const read = (measure: MeasureSender): Promise<ReceivedForm> => checked(receive(request, response, measure));
  inUploadTurn(request, response, { read, contentOf, use }).catch((error: unknown) => inContext(() => next(error)));
}

function read(request: ReadRequest, response: Response, next: NextFunction): void {
  const inContext = AsyncLocalStorage.snapshot();
  if (request.is('multipart')) {
    readMultipart(request, response, next);
    return;
  }
  const taken = (error?: unknown): void =>
    inContext(() => {
      Object.assign(request, { fields: request.body ?? {}, express_formidable: { parsed: true } });
      next(error ?? fieldsFault(request.body));
    });
  const empty = Number(request.headers['content-length'] ?? 0) === 0;
  if (empty) taken();
  else if (request.is('json')) readJson(request, response, taken);
  else if (request.is('urlencoded')) readPlainForm(request, response, taken);
  else next(refusal(415, 'Neither a form nor JSON'));
}

/**
 * Reads the body for AdminJS instead of its plugin, which would allocate the length in the header, accept files of any size, lose the
 * tenant and continue after an error.
 */
export function readBody(): RequestHandler {
  return (request, response, next) => {
    if (request.headers['transfer-encoding'] !== undefined) next(refusal(411, 'Body without length'));
    else if (hasContentCoding(request)) next(refusal(415, 'Encoded body'));
    else if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) next(refusal(413, 'Body too large'));
    else read(request as ReadRequest, response, next);
  };
}

/** Runs the continuation of a handler in the request's context, whatever calls it back. */
export function inRequestContext(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const inContext = AsyncLocalStorage.snapshot();
    handler(request, response, (error?: unknown) => inContext(() => next(error)));
  };
}

const namePart = /^(?:[A-Za-z_][A-Za-z0-9_-]*|\d{1,3})$/;

/**
 * Whether a name is allowed for a field or parameter. AdminJS converts dotted names to objects and lists: a part like `constructor` finds
 * inherited members, one like `400000000` creates a list of that length, and a thousand parts overflow the stack.
 */
function fitsAsName(name: string): boolean {
  if (name.length > 200) return false;
  const parts = name.split(/[.~]+/);
  return parts.length <= 12 && parts.every((part) => namePart.test(part) && !(part in Object.prototype));
}

function namesFit(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true;
  // The number of indices in a list is the number of sent values, which `bodyFault` limits.
  if (Array.isArray(value)) return value.every(namesFit);
  return Object.entries(value).every(([name, member]) => fitsAsName(name) && namesFit(member));
}

function fieldsFault(fields: unknown): Error | undefined {
  return bodyFault(fields) ?? (namesFit(fields) ? undefined : refusal(400, 'Unfit field name'));
}

/** Refuses addresses with parameter names that are not allowed. */
export function parameterLimits(): RequestHandler {
  return (request, _response, next) => {
    next(Object.keys(request.query).every(fitsAsName) ? undefined : refusal(400, 'Unfit parameter'));
  };
}
