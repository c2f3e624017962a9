import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import type { Request } from 'express';
import { decodeUtf8 } from '../request/http-body.js';
import { kernelProblem as problem, Problem, currentLanguage } from '#kernel';
import type { Text } from '#kernel';
import { tooSlow } from './pace.js';
import { partHeader, type PartHeader } from './part-header.js';
import type { MeasureSender } from './senders.js';
import { Slices } from './slices.js';
import { texts } from '../locales/http.texts.js';

/** Sizes and numbers of a form at most. */
export interface FormLimits {
  readonly fileBytes: number;
  /** Different names, that is members of the body. */
  readonly members: number;
  /** Values of all members together: a list has one value per entry. */
  readonly values: number;
  readonly nameLength: number;
  readonly fieldBytes: number;
  /** All text fields together. */
  readonly textBytes: number;
}

/** What a form may hold. */
export interface ExpectedForm {
  /** The names of the file fields, each at most once; a number: so many files of any name, of `fileBytes` together. */
  readonly files: readonly string[] | number;
  readonly limits: FormLimits;
}

/** Limits of a form. */
export const formLimits: FormLimits = {
  fileBytes: 10 * 1024 * 1024,
  members: 50,
  values: 1000,
  nameLength: 100,
  fieldBytes: 100_000,
  textBytes: 1_000_000,
};

/** Allowance for boundaries and headers of the parts, which are not stored. */
const envelopeBytes = 512 * 1024;
const headerLimits = { maxHeaderPairs: 20, maxHeaderSize: 16 * 1024 };

/** Text fields by name, as lists when repeated; files by name. */
export interface ReadForm {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, Buffer>>;
}

/**
 * Reads a multipart/form-data body into memory, within the limits. Ends within `seconds`, and earlier when the sender is too slow. Ignores
 * the file names that the sender gives.
 * @param expected the file fields, each at most once, within the limits of all routes; or other limits
 * @param measure measures the sender, and tells when it is too slow
 * @throws Problem body.too_large, body.malformed, body.unsupported_type (text in another charset), request.text (invalid UTF-8),
 *   body.invalid (an unexpected file, or one of more than 10 MiB), body.too_slow
 */
export function readMultipart(
  request: Request,
  expected: readonly string[] | ExpectedForm,
  seconds: number,
  measure: MeasureSender = () => () => undefined,
): Promise<ReadForm> {
  const { files, limits } = 'limits' in expected ? expected : { files: expected, limits: formLimits };
  const names = typeof files === 'number' ? [] : files;
  const mostFiles = typeof files === 'number' ? 1 : files.length;
  const mostBytes = mostFiles * limits.fileBytes + limits.textBytes + envelopeBytes;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.reject(wholeTooLarge(names));
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(request.headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? bare;
  // The client disconnected while the request waited for its turn: no further event would end the reader.
  if (boundary === undefined || request.destroyed) return Promise.reject(problem('body.malformed'));
  // Socket events run without the request's scope, which the language of problems depends on.
  const inContext = AsyncLocalStorage.snapshot();
  return new Promise((resolve, reject) => {
    const reader = new Dicer({ boundary, ...headerLimits });
    const slices = new Slices();
    const form = new FormParts(files, limits);
    const started = performance.now();
    let bytes = 0;
    let ended = false;
    const end = (error?: unknown): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      endMeasuring();
      request.off('data', count).off('close', hungUp).unpipe(slices);
      slices.destroy();
      // Discards the rest, so that the answer need not wait for the sender.
      request.resume();
      if (error === undefined) resolve(form.read());
      else reject(error instanceof Problem ? error : problem('body.malformed'));
    };
    const attempt = (work: () => void): void =>
      inContext(() => {
        try {
          if (!ended) work();
        } catch (error) {
          end(error);
        }
      });
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > mostBytes) attempt(() => end(wholeTooLarge(names)));
    };
    // A completely received body is parsed to its end, even when the socket closes meanwhile.
    const hungUp = (): void => {
      if (!request.complete) end(problem('body.malformed'));
    };
    // The rest is not read; Node closes the connection after the answer.
    const late = (): void => end(tooSlow(Math.ceil(elapsedMs() / 1000)));
    const elapsedMs = (): number => performance.now() - started;
    const timer = setTimeout(() => attempt(late), seconds * 1000);
    const endMeasuring = measure(request, () => attempt(late));
    reader.on('part', (part: Readable) => {
      let current: FormPart | undefined;
      const known = (): FormPart => {
        if (!current) throw problem('body.malformed');
        return current;
      };
      part.on('header', (headers: Record<string, string[]>) => attempt(() => (current = form.begin(partHeader(headers)))));
      part.on('data', (chunk: Buffer) => attempt(() => form.take(known(), chunk)));
      part.on('end', () => attempt(() => form.finish(known())));
      part.on('error', end);
    });
    reader.on('finish', () => attempt(() => end()));
    reader.on('error', end);
    slices.pipe(reader);
    request.on('data', count).once('close', hungUp).pipe(slices);
  });
}

interface FormPart extends PartHeader {
  readonly chunks: Buffer[];
  size: number;
}

/** The parts of a form received so far. Methods throw a Problem for invalid parts. */
class FormParts {
  private readonly fields = Object.create(null) as Record<string, string | string[]>;
  private readonly files = Object.create(null) as Record<string, Buffer>;
  private values = 0;
  private textBytes = 0;

  constructor(
    private readonly expected: ExpectedForm['files'],
    private readonly limits: FormLimits,
  ) {}

  /** Starts a part. @throws Problem when a limit is exceeded or the part is not expected */
  begin(header: PartHeader): FormPart {
    const { name, filename } = header;
    if (name.length > this.limits.nameLength) {
      throw tooLarge(texts.localized('multipart.fieldNameLimit'));
    }
    if (filename) {
      if (!this.takes(name)) throw unexpectedFile(name, typeof this.expected === 'number' ? [] : this.expected);
      this.files[name] = Buffer.alloc(0);
    } else if (filename === undefined) {
      if (/[[\]]/.test(name)) {
        throw formFault(name, 'name', texts.localized('multipart.brackets'));
      }
      this.values += 1;
      this.fields[name] ??= [];
      if (Object.keys(this.fields).length > this.limits.members || this.values > this.limits.values) throw tooManyFields();
    }
    return { ...header, chunks: [], size: 0 };
  }

  private takes(name: string): boolean {
    if (this.files[name]) return false;
    return typeof this.expected === 'number' ? Object.keys(this.files).length < this.expected : this.expected.includes(name);
  }

  /** Adds bytes to a part. @throws Problem when the part is too large */
  take(part: FormPart, chunk: Buffer): void {
    part.size += chunk.length;
    part.chunks.push(chunk);
    if (part.filename !== undefined) {
      if (part.size > this.limits.fileBytes) throw fileTooLarge(part.name);
      return;
    }
    if (part.size > this.limits.fieldBytes) throw fieldTooLong();
    this.textBytes += chunk.length;
    if (this.textBytes > this.limits.textBytes) throw tooLarge(texts.localized('multipart.textLimit'));
  }

  /** Ends a part. @throws Problem when a text is not UTF-8 */
  finish({ name, filename, chunks }: FormPart): void {
    const bytes = Buffer.concat(chunks);
    // Browsers send an empty file name when no file was chosen.
    if (filename) this.files[name] = bytes;
    if (filename === undefined) (this.fields[name] as string[]).push(decodeUtf8(bytes));
  }

  /** Single values become texts, several values lists. */
  read(): ReadForm {
    for (const [name, values] of Object.entries(this.fields)) if (values.length === 1) this.fields[name] = values[0] as string;
    return { fields: this.fields, files: this.files };
  }
}

function unexpectedFile(field: string, names: readonly string[]): Problem {
  const list = names.join(', ');
  return formFault(
    field,
    'file',
    names.length === 0 ? texts.localized('multipart.noFiles') : texts.localized('multipart.oneFileEach', { list }),
  );
}

export const fieldTooLong = (): Problem => tooLarge(texts.localized('multipart.fieldLimit'));
export const tooManyFields = (): Problem => tooLarge(texts.localized('multipart.fieldCountLimit'));

/** Decisions 6: an image of more than 10 MiB is an invalid value of its field. */
function fileTooLarge(field: string): Problem {
  return formFault(field, 'file', texts.localized('multipart.fileTooLarge'));
}

/** Forms without file fields have a lower limit. */
function wholeTooLarge([name, ...others]: readonly string[]): Problem {
  if (name === undefined) return tooLarge(texts.localized('multipart.bodyLimit'));
  return fileTooLarge(others.length > 0 ? '' : name);
}

function tooLarge(limit: Text): Problem {
  return problem('body.too_large', { parameters: { limit: limit[currentLanguage()] } });
}

/** An error in one field of a form, in the format of the body's DTO. */
export function formFault(field: string, code: string, text: Text): Problem {
  const pointer = field === '' ? '' : `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return problem('body.invalid', { errors: [{ pointer, code, detail: text[currentLanguage()] }] });
}
