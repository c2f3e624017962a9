import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Injectable } from '@nestjs/common';
import { currentClient, FairLimit, handOver, Outbound, OutboundRefusedError, RefusedInput, type Problem, type Text } from '#kernel';
import { limits } from '../limits.js';
import { largestImageBytes, tooLarge, type PreparedImage } from './image-encoding.js';
import { problem } from './images.problems.js';
import { ImagesService } from './images.service.js';
import { texts } from '../locales/catalogue.texts.js';

const mostRedirects = 3;
/** From the first lookup to the last byte, redirects included, in milliseconds. */
export const fetchTimeoutMs = limits.download.ms;

const inTurn = new FairLimit({ ...limits.downloads.turns, refuse: busy });
const fetched = new FairLimit({ ...limits.downloaded.turns, refuse: busy });

function busy(): Problem {
  return problem('image.busy', { headers: { 'Retry-After': '5' } });
}

/** Downloads images from URLs that users give (`img_url`). */
@Injectable()
export class ImageFetcher {
  constructor(
    private readonly outbound: Outbound,
    private readonly images: ImagesService,
  ) {}

  /**
   * Downloads an image and prepares it like an uploaded one; never call it inside a transaction. The bytes decide the format, not the
   * other server's content type. At most three redirects, each with an address check; 10 s and 10 MiB in total.
   * @param field the field that errors name
   * @throws RefusedInput when nothing can be downloaded, or it is no image
   * @throws Problem image.busy when too many downloads wait
   */
  async fetch(address: string, field: string, timeoutMs: number = fetchTimeoutMs): Promise<PreparedImage> {
    return handOver(
      { limit: inTurn, read: () => this.bytesOf(address, field, timeoutMs) },
      { limit: fetched, use: (bytes) => this.images.prepare(bytes, field) },
      currentClient(),
    );
  }

  private async bytesOf(address: string, field: string, timeoutMs: number): Promise<Buffer> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.answerOf(urlOf(address), signal);
      const bytes = await read(response);
      if (!bytes) throw tooLarge(field);
      return bytes;
    } catch (error) {
      if (error instanceof RefusedInput) throw error;
      throw new RefusedInput(field, signal.aborted ? messages.slow : messageOf(error));
    }
  }

  /** Follows redirects. @returns the response with status 200, its body not read yet */
  private async answerOf(start: URL, signal: AbortSignal): Promise<IncomingMessage> {
    let url = start;
    for (let redirects = 0; ; redirects += 1) {
      const response = await get(url, { agent: this.outbound.agentFor(url), signal, headers: requestHeaders });
      const { statusCode = 0 } = response;
      if (statusCode === 200) return response;
      // Not read: a redirect's body could be endless.
      response.destroy();
      const { location } = response.headers;
      if (![301, 302, 303, 307, 308].includes(statusCode) || !location) throw new FetchFailure(messages.status);
      if (redirects === mostRedirects) throw new FetchFailure(messages.redirects);
      url = urlOf(location, url);
    }
  }
}

const requestHeaders = { 'User-Agent': 'Guichet/1.0', Accept: 'image/*', 'Accept-Encoding': 'identity' };

class FetchFailure extends Error {
  constructor(readonly text: Text) {
    super(text.en);
  }
}

/** @throws FetchFailure unless it is an http or https URL without credentials */
function urlOf(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new FetchFailure(messages.address);
  return url;
}

/** Repeats the request once when a kept-alive connection was closed by the server at the same moment. */
async function get(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  // Errors while the body is read are emitted on the response.
  request.on('error', () => undefined);
  request.end();
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return get(url, options);
    throw error;
  }
}

/** @returns undefined when it is over 10 MiB; the rest is not read */
async function read(response: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > largestImageBytes) return undefined;
  }
  return Buffer.concat(parts);
}

function messageOf(error: unknown): Text {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchFailure) return cause.text;
    if (cause instanceof OutboundRefusedError) return messages.inside;
  }
  return messages.unreachable;
}

const messages = {
  address: texts.localized('imageFetcher.addressInvalid'),
  inside: texts.localized('imageFetcher.notPublic'),
  redirects: texts.localized('imageFetcher.redirects'),
  status: texts.localized('imageFetcher.status'),
  slow: texts.localized('imageFetcher.slow'),
  unreachable: texts.localized('imageFetcher.unreachable'),
} as const satisfies Record<string, Text>;
