import { decodeUtf8, isUtf8Type } from '../request/http-body.js';
import { kernelProblem as problem } from '#kernel';

/** The headers of a part of a form. `filename` is undefined for a text, and empty when no file was chosen. */
export interface PartHeader {
  readonly name: string;
  readonly filename: string | undefined;
}

/**
 * Parses the headers of a part (RFC 7578), whose bytes are decoded as Latin-1.
 * @throws Problem body.malformed without a name, body.unsupported_type for text in another charset, request.text for a name that is not
 *   UTF-8
 */
export function partHeader(headers: Readonly<Record<string, readonly string[]>>): PartHeader {
  const disposition = headers['content-disposition']?.[0] ?? '';
  const written = parameter(disposition, 'name');
  if (!/^\s*form-data\s*;/i.test(disposition) || !written) throw problem('body.malformed');
  const filename = parameter(disposition, 'filename') ?? (/;\s*filename\*\s*=/i.test(disposition) ? 'file' : undefined);
  const type = headers['content-type']?.[0];
  if (filename === undefined && type !== undefined && !isUtf8Type(type)) throw problem('body.unsupported_type');
  return { name: decodeUtf8(Buffer.from(written, 'latin1')), filename };
}

/** The value of a parameter. Browsers encode quotes and line ends as %22, %0D and %0A. */
function parameter(header: string, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header) ?? [];
  const value = quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
  return value?.replace(/%(22|0D|0A)/gi, (encoded) => decodeURIComponent(encoded));
}
