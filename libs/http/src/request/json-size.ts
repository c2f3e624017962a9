import { kernelProblem as problem } from '#kernel';
import type { Problem } from '#kernel';

/**
 * Limits of a JSON body: nesting depth, number of values, number of objects and lists, and members per object. Validation takes time
 * proportional to the number of objects, and to the square of the number of members per object.
 */
export const jsonLimits = { depth: 20, values: 6000, objects: 2000, members: 200 } as const;

/** Why a JSON body is refused before parsing. */
export type JsonFault = 'body.too_deep' | 'body.too_many_values';

/** The problem (400) that answers a refused body. */
export function jsonProblem(fault: JsonFault): Problem {
  const { depth, ...counts } = jsonLimits;
  return problem(fault, { parameters: fault === 'body.too_deep' ? { limit: depth } : counts });
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks JSON against {@link jsonLimits} without parsing it: `JSON.parse` takes 100 times as long for a megabyte of brackets as for a
 * megabyte of text. The result is undefined for invalid JSON; the parser refuses that.
 * @param bytes UTF-8
 * @param members maximum per object
 */
export function jsonFault(bytes: Uint8Array, members: number = jsonLimits.members): JsonFault | undefined {
  /** By level: number of further members that the object may have; for lists only the number of values counts. */
  const left: number[] = [];
  let values = 1;
  let objects = 0;
  let justOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    // Skips white space and control characters.
    if (byte <= 0x20) continue;
    const opens = byte === openList || byte === openObject;
    if (justOpened && byte !== closeList && byte !== closeObject) values += 1;
    if (byte === quote) at = endOfString(bytes, at);
    else if (opens) left.push(byte === openObject ? members - 1 : jsonLimits.values);
    else if (byte === closeList || byte === closeObject) left.pop();
    else if (byte === comma) {
      values += 1;
      const level = left.length - 1;
      const rest = (left[level] ?? 0) - 1;
      if (rest < 0) return 'body.too_many_values';
      left[level] = rest;
    }
    if (left.length > jsonLimits.depth) return 'body.too_deep';
    if (opens) objects += 1;
    if (values > jsonLimits.values || objects > jsonLimits.objects) return 'body.too_many_values';
    justOpened = opens;
  }
  return undefined;
}

/** @param start of the string's first quotation mark @returns place of its last one, or the end of the bytes */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
