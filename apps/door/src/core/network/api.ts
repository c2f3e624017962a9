/** The server's answer, whatever its status. */
export interface Answer {
  readonly status: number;
  /** The JSON of the body; null: it is none. */
  readonly body: unknown;
  /** Milliseconds that the answer took. */
  readonly took: number;
  /** Milliseconds that the server asks to wait (Retry-After); null: it does not. */
  readonly retryAfter: number | null;
  readonly etag: string | null;
}

/** No answer of the server came: no network, a hanging connection, a page of somebody else, or the app is being closed. */
export class NoAnswer extends Error {
  constructor(readonly timedOut: boolean) {
    super(timedOut ? 'The server did not answer in time.' : 'The server cannot be reached.');
  }
}

export interface ApiOptions {
  /** Origin of the server; empty: that of the page. */
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly key: () => string | null;
  /** Code of the language in which the server answers. */
  readonly language: () => string;
  /** Is called with every answer, also of refusals of the key. */
  readonly onAnswer: (answer: Answer, path: string) => void;
}

interface Asked {
  readonly body?: unknown;
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** The credential; by default the device's key. */
  readonly authorization?: string | null;
  readonly etag?: string | null;
}

/** Longest time that is waited because the server asks for it, in milliseconds. */
const longestRetryAfter = 300_000;

/** Requests to the scan API of the server. */
export class Api {
  constructor(private readonly options: ApiOptions) {}

  get(path: string, asked: Asked): Promise<Answer> {
    return this.request('GET', path, asked);
  }

  post(path: string, asked: Asked): Promise<Answer> {
    return this.request('POST', path, asked);
  }

  /** @throws NoAnswer after `timeout` milliseconds, without a network, and when `signal` aborts */
  private async request(method: string, path: string, asked: Asked): Promise<Answer> {
    const { signal, timeout, body, etag } = asked;
    const key = this.options.key();
    const authorization = asked.authorization === undefined ? key && `Api-Key ${key}` : asked.authorization;
    const ending = new AbortController();
    const stop = (): void => ending.abort();
    if (signal?.aborted) throw new NoAnswer(false);
    signal?.addEventListener('abort', stop);
    const timer = setTimeout(stop, timeout);
    const began = performance.now();
    try {
      const response = await this.options.fetch(`${this.options.origin}${path}`, {
        method,
        headers: {
          Accept: 'application/json',
          'Accept-Language': this.options.language(),
          ...(authorization && { Authorization: authorization }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(etag && { 'If-None-Match': etag }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: ending.signal,
      });
      const text = await response.text();
      const answer: Answer = {
        status: response.status,
        body: jsonOf(text),
        took: performance.now() - began,
        retryAfter: retryAfterOf(response.headers.get('Retry-After')),
        etag: response.headers.get('ETag'),
      };
      if (isForeign(answer)) throw new NoAnswer(false);
      // A late answer to a key that the phone has no more says nothing about its new one.
      if (key === this.options.key()) this.options.onAnswer(answer, path);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw new NoAnswer(ending.signal.aborted && !signal?.aborted);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** The code of a problem (RFC 9457); null: the answer is none. */
export function problemCode({ body }: Answer): string | null {
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : null;
}

/** Statuses that come without JSON from the server, too; 413 comes from a proxy before it, and the batch must become smaller. */
const withoutJson: ReadonlySet<number> = new Set([204, 304, 413]);

/** The page of a network that wants a sign-in, or of a proxy whose server is away: the server answers everything with JSON. */
function isForeign({ status, body }: Answer): boolean {
  return !withoutJson.has(status) && (typeof body !== 'object' || body === null);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Only seconds count: a date would need the clock of the phone, which may be wrong. */
function retryAfterOf(header: string | null): number | null {
  if (header === null || !/^\d{1,9}$/.test(header.trim())) return null;
  return Math.min(longestRetryAfter, Number(header) * 1000);
}
