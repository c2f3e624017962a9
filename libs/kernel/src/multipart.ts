import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer, { type MulterError, type Options } from 'multer';
import { problem } from './kernel.problems.js';
import type { Text } from './language.js';
import { Problem } from './problem.js';
import { currentLanguage } from './request-context.js';

/** What a form may hold. */
export const formLimits = {
  fileBytes: 10 * 1024 * 1024,
  fields: 50,
  nameLength: 100,
  fieldBytes: 100_000,
  /** All text fields together. */
  textBytes: 1_000_000,
} as const;

/** Boundaries and headers of the parts, which are read and dropped. */
const envelopeBytes = 256 * 1024;

/** Text fields by name, one given twice as a list; files by name. */
export interface ReadForm {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, Buffer>>;
}

/**
 * Reads a multipart/form-data body into memory, and never more of it than the limits allow. Ends within `seconds`, whatever the sender
 * does; names that the sender gave its files are not looked at.
 * @param names the file fields, each at most once
 * @throws Problem body.too_large, body.malformed, body.invalid (a file nobody asked for, or of more than 10 MiB), body.too_slow
 */
export function readMultipart(
  request: Request,
  response: Response,
  names: readonly string[],
  seconds: number,
): Promise<ReadForm> {
  const mostBytes = names.length * formLimits.fileBytes + formLimits.textBytes + envelopeBytes;
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.reject(wholeTooLarge(names));
  // The sender went away while others were read: nothing would ever tell the reader so.
  if (request.destroyed) return Promise.reject(problem('body.malformed'));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Nobody waits for the rest: Node closes the connection behind the answer, and the reader ends with it.
      reject(problem('body.too_slow', { parameters: { seconds }, headers: { Connection: 'close' } }));
    }, seconds * 1000);
    const end = (error?: unknown): void => {
      clearTimeout(timer);
      if (error) reject(problemOfReader(error, names));
      else resolve({ fields: request.body as ReadForm['fields'], files: filesOf(request) });
    };
    const options: Options & { defParamCharset: string; streamHandler(request: Request, reader: Writable): void } = {
      limits: {
        fileSize: formLimits.fileBytes,
        fields: formLimits.fields,
        // One more than may come, so that it is the field's name that is refused.
        files: names.length + 1,
        parts: formLimits.fields + names.length + 1,
        fieldNameSize: formLimits.nameLength,
        fieldSize: formLimits.fieldBytes,
        fieldNestingDepth: 0,
      },
      defParamCharset: 'utf8',
      streamHandler: (source, reader) => {
        // An `error` of the reader is how it gives up in good order; the caller need not wait until the sender has finished.
        const giveUp = (error: Problem): void => {
          end(error);
          reader.emit('error', error);
        };
        let bytes = 0;
        let text = 0;
        source.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostBytes) giveUp(wholeTooLarge(names));
        });
        reader.on('field', (_name: unknown, value: unknown) => {
          // Without a text when its part names a charset that nobody knows.
          if (typeof value !== 'string') return giveUp(problem('body.malformed'));
          text += Buffer.byteLength(value);
          if (text > formLimits.textBytes) giveUp(tooLarge({ en: '1 MB of text', fr: '1 Mo de texte' }));
        });
        source.pipe(reader);
      },
    };
    const fields = names.map((name) => ({ name, maxCount: 1 }));
    multer(options).fields(fields)(request, response, end);
  });
}

function filesOf(request: Request): Record<string, Buffer> {
  const files = (request.files ?? {}) as Record<string, Express.Multer.File[]>;
  // The request lives as long as its answer: pictures that were used should not.
  delete request.files;
  return Object.fromEntries(Object.entries(files).flatMap(([name, [file]]) => (file ? [[name, file.buffer]] : [])));
}

function problemOfReader(error: unknown, names: readonly string[]): unknown {
  const { code, field = '' } = error as Partial<MulterError>;
  switch (code as string | undefined) {
    case 'LIMIT_FILE_SIZE':
      return fileTooLarge(field);
    case 'LIMIT_FIELD_VALUE':
      return fieldTooLong();
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return tooManyFields();
    case 'LIMIT_FIELD_KEY':
      return tooLarge({ en: '100 characters as the name of a field', fr: '100 caractères comme nom de champ' });
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return unexpectedFile(field, names);
    case 'LIMIT_FIELD_NESTING':
    case 'INVALID_FIELD_NAME':
      return formFault(field, 'name', {
        en: 'Name fields without brackets.',
        fr: 'Nommez les champs sans crochets.',
      });
    default:
      // What is left is the form itself: no boundary, no name, a broken header, an end too early.
      return error instanceof Problem ? error : problem('body.malformed');
  }
}

function unexpectedFile(field: string, names: readonly string[]): Problem {
  const list = names.join(', ');
  return formFault(field, 'file', {
    en: names.length === 0 ? 'Send no files here.' : `Send at most one file in each of: ${list}.`,
    fr: names.length === 0 ? "N'envoyez pas de fichier ici." : `Envoyez au plus un fichier dans chacun de : ${list}.`,
  });
}

export const fieldTooLong = (): Problem => tooLarge({ en: '100 kB a field', fr: '100 ko par champ' });
export const tooManyFields = (): Problem => tooLarge({ en: '50 fields', fr: '50 champs' });

/** Decisions 6: a picture of more than 10 MiB is an unfit one. */
function fileTooLarge(field: string): Problem {
  return formFault(field, 'file', {
    en: 'Send a file of at most 10 MiB.',
    fr: 'Envoyez un fichier de 10 Mio au plus.',
  });
}

/** Text alone has a limit of its own: it is files that make a form so long. */
function wholeTooLarge([name, ...others]: readonly string[]): Problem {
  if (name === undefined) return tooLarge({ en: '1 MB', fr: '1 Mo' });
  return fileTooLarge(others.length > 0 ? '' : name);
}

function tooLarge(limit: Text): Problem {
  return problem('body.too_large', { parameters: { limit: limit[currentLanguage()] } });
}

/** A fault of one field of a form, as the body's DTO would tell it. */
export function formFault(field: string, code: string, text: Text): Problem {
  const pointer = field === '' ? '' : `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return problem('body.invalid', { errors: [{ pointer, code, detail: text[currentLanguage()] }] });
}
