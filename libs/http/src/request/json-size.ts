import { kernelProblem as problem } from '#kernel';
import type { Problem } from '#kernel';

/**
 * What a JSON body may hold: levels of objects and lists inside of each other, values in all, objects and lists among them, and members of
 * one object. Checking a body against its class takes time with the number of its objects, and with the square of the number of an object's
 * members.
 */
export const jsonLimits = { depth: 20, values: 6000, objects: 2000, members: 200 } as const;

/** Why a JSON body is not read. */
export type JsonFault = 'body.too_deep' | 'body.too_many_values';

export function jsonProblem(fault: JsonFault): Problem {
  const { depth, ...counts } = jsonLimits;
  return problem(fault, { parameters: fault === 'body.too_deep' ? { limit: depth } : counts });
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether JSON is larger than {@link jsonLimits}. Reads the bytes once and makes nothing of them: `JSON.parse` needs 100 times as long
 * for a megabyte of brackets as for a megabyte of text. Of bytes that are no JSON it may say anything; the parser refuses them.
 * @param bytes UTF-8
 * @param members at most in one object
 */
export function jsonFault(bytes: Uint8Array, members: number = jsonLimits.members): JsonFault | undefined {
  /** By level: how many more members its object may have; lists are bound by the number of values alone. */
  const left: number[] = [];
  let values = 1;
  let objects = 0;
  let justOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    // White space and control characters say nothing.
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
