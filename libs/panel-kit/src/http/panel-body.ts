import { AsyncLocalStorage } from 'node:async_hooks';
import express from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import {
  bodyFault,
  hasContentCoding,
  inUploadTurn,
  readMultipart as readForm,
  refuseLargeJson,
  type FormContent,
  type FormLimits,
  type MeasureSender,
} from '#http';
import { Problem } from '#kernel';
import { limits } from '../limits.js';
import { UploadedFile } from '../request/uploaded-file.js';

/** Maximum size of a form in bytes: a picture of 10 MiB and its fields. */
const LARGEST_BODY = 11 * 1024 * 1024;

/** Maximum number of files. No form needs more. */
const MOST_FILES = 10;

/** Maximum number of fields. */
const MOST_FIELDS = 2000;

const LONGEST_NAME = 200;

/** The members that AdminJS's plugin reads, and the mark that disables its own reader. */
type ReadRequest = Request & {
  fields?: unknown;
  files?: unknown;
  express_formidable?: { parsed: true };
};

const refusal = (status: number, message: string): Error => Object.assign(new Error(message), { status });

const readJson = express.json({
  limit: '1mb',
  inflate: false,
  verify: (_request, _response, bytes) => refuseLargeJson(bytes, MOST_FIELDS),
});
/** Forms of pages without AdminJS. */
const readPlainForm = express.urlencoded({ extended: false, inflate: false, limit: '16kb', parameterLimit: 50 });
/** AdminJS sends each value of a list as a separate field, with its number in the name. */
const formLimits: FormLimits = {
  fileBytes: LARGEST_BODY,
  members: MOST_FIELDS,
  values: MOST_FIELDS,
  nameLength: LONGEST_NAME,
  fieldBytes: 2 * 1024 * 1024,
  textBytes: 2 * 1024 * 1024,
};

/** A form that was read, or the error with which it is refused. */
interface ReceivedForm {
  readonly fields: unknown;
  readonly files: Readonly<Record<string, UploadedFile>>;
  readonly error: unknown;
}

async function receive(request: Request, measure: MeasureSender): Promise<ReceivedForm> {
  try {
    const { fields: all, files: sent } = await readForm(
      request,
      { files: MOST_FILES, limits: formLimits },
      limits.formTime.number,
      measure,
    );
    // AdminJS numbers the values of a list. Of a name that is repeated it takes the last value, as from its own reader.
    const fields = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]));
    // Browsers send an empty file when no file was chosen.
    const chosen = Object.entries(sent).filter(([, bytes]) => bytes.length > 0);
    const files = Object.fromEntries(chosen.map(([name, bytes]) => [name, new UploadedFile(bytes)]));
    return { fields, files, error: fieldsFault(fields) ?? (namesFit(files) ? undefined : refusal(400, 'Unfit field name')) };
  } catch (error) {
    const isLate = error instanceof Problem && error.code === 'body.too_slow';
    return { fields: {}, files: {}, error: isLate ? error : refusal(400, 'The form could not be read') };
  }
}

function contentOf({ files, error }: ReceivedForm): FormContent {
  if (error !== undefined) return 'nothing';
  return Object.keys(files).length > 0 ? 'files' : 'texts';
}

/** Resolves when the response is closed, also when it is closed already. */
function closing(response: Response): Promise<void> {
  return response.destroyed ? Promise.resolve() : new Promise((resolve) => response.once('close', resolve));
}

function readMultipart(request: ReadRequest, response: Response, next: NextFunction): void {
  const inContext = AsyncLocalStorage.snapshot();
  const use = ({ fields, files, error }: ReceivedForm): Promise<void> => {
    Object.assign(request, { fields, files, express_formidable: { parsed: true } });
    const answered = closing(response);
    next(error);
    return answered;
  };
  const read = (measure: MeasureSender): Promise<ReceivedForm> => receive(request, measure);
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
  if (name.length > LONGEST_NAME) return false;
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
