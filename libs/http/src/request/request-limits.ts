import type { RequestHandler } from 'express';
import { jsonLimits, jsonProblem } from './json-size.js';
import { kernelProblem as problem } from '#kernel';
import type { Problem } from '#kernel';

const maximumQueryParameters = 50;

/**
 * Refuses requests that Node accepts but that are ambiguous for tenants by host name: two `Host` headers, and an absolute-form target with
 * another host. An absolute form with the same host is rewritten to its path.
 */
export const hostCheck: RequestHandler = (request, _response, next) => {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts !== 1) return next(problem('request.host'));
  if (!request.url.startsWith('/') && request.url !== '*') {
    const target = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const named = request.headers.host?.toLowerCase();
    const agrees = target && !target.username && !target.password && sameHost(target, named);
    if (!agrees) return next(problem('request.host'));
    request.url = `${target.pathname}${target.search}`;
  }
  next();
};

function sameHost(target: URL, written: string | undefined): boolean {
  const host = written?.replace(/\.(?=:|$)/, '');
  const name = target.hostname.replace(/\.$/, '');
  const port = target.port || '80';
  return host === `${name}:${port}` || (port === '80' && host === name);
}

/** Browsers send less than half of it. */
const longestPreference = 500;

/**
 * Ignores headers that negotiate language and encoding when they are longer than any client needs: reading thousands of entries takes ten
 * times as long as the rest of a refused request.
 */
export const preferenceLimits: RequestHandler = ({ headers }, _response, next) => {
  for (const name of ['accept-language', 'accept-encoding'] as const) {
    if ((headers[name]?.length ?? 0) > longestPreference) delete headers[name];
  }
  next();
};

/** Refuses invalid percent-encoding, NUL and lone surrogates in the URL, and too many parameters. */
export const addressLimits: RequestHandler = (request, _response, next) => {
  // Node decodes bytes over 0x7F as Latin-1.
  if (/[^ -~]/.test(request.url)) return next(problem('request.malformed'));
  const [path, query] = splitOnce(request.url, '?');
  if (path.includes('%')) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return next(problem('request.malformed'));
    }
    if (unfit(decoded)) return next(problem('request.text'));
  }
  if (query !== '') {
    if (query.split('&').length > maximumQueryParameters) {
      return next(problem('request.too_many_parameters', { parameters: { limit: maximumQueryParameters } }));
    }
    if (!decodes(query)) return next(problem('request.text'));
  }
  next();
};

/** Whether the percent-encoding in a query is UTF-8 without NUL. A single percent sign counts as text, because some links contain it. */
function decodes(query: string): boolean {
  for (const [encoded] of query.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    try {
      if (decodeURIComponent(encoded).includes('\0')) return false;
    } catch {
      return false;
    }
  }
  return true;
}

/** Must run after the body parser; see `bodyFault`. */
export const bodyLimits: RequestHandler = (request, _response, next) => next(bodyFault(request.body));

/**
 * The error of a parsed body: it exceeds `jsonLimits` (validation would overflow the stack, or take long), or has text that PostgreSQL
 * cannot store. Undefined when it is valid. Iterative, so that a deep body cannot overflow the stack here.
 */
export function bodyFault(body: unknown): Problem | undefined {
  const waiting: [value: unknown, depth: number][] = [[body, 1]];
  let nodes = 0;
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const [value, depth] = entry;
    nodes += 1;
    if (typeof value === 'string' && unfit(value)) return problem('request.text');
    const deeper = value !== null && typeof value === 'object';
    if (deeper && depth > jsonLimits.depth) return jsonProblem('body.too_deep');
    if (nodes > jsonLimits.values) return jsonProblem('body.too_many_values');
    if (!deeper) continue;
    if (Array.isArray(value)) {
      if (nodes + waiting.length + value.length > jsonLimits.values) return jsonProblem('body.too_many_values');
      for (const member of value as unknown[]) waiting.push([member, depth + 1]);
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      if (unfit(name)) return problem('request.text');
      waiting.push([member, depth + 1]);
    }
  }
  return undefined;
}

function unfit(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
