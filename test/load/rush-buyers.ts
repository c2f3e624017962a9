import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';

/** Where the tickets are sold. */
export interface RushVenue {
  /** Of one or several servers. */
  readonly ports: readonly number[];
  readonly host: string;
  readonly slug: string;
  readonly priceId: string;
}

export interface RushResult {
  /** Milliseconds from the first click to the confirmation, of the buyers who got their tickets. */
  readonly times: readonly number[];
  /** Number of answers by status, and by page. */
  readonly answers: Readonly<Record<string, number>>;
  /** Buyers who gave up. */
  readonly refused: number;
  /** From the first click of the first buyer to the last confirmation. */
  readonly seconds: number;
  /** Buyers who saw the page with their position. */
  readonly queued: number;
}

/** A buyer whose request is refused sends it again this many times. */
const attempts = 3;
/**
 * One buyer in ten shares an address with others, as in a school or a mobile network, up to `together` of them: tickets that nobody has
 * confirmed are held up to `HELD_TICKETS_PER_NETWORK` for one address.
 */
const shared = { oneIn: 10, together: 100 };

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: 60_000 });

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly retryAfter: number;
}

class Buyer {
  private cookie = '';
  seesQueue = false;

  constructor(
    private readonly venue: RushVenue,
    private readonly address: string,
    private readonly answers: Record<string, number>,
  ) {}

  /** @returns whether the tickets were booked */
  async book(): Promise<boolean> {
    const { slug, priceId } = this.venue;
    const page = await this.open('page', `/event/${slug}`);
    if (page?.status !== 200) return false;
    const chosen = await this.open('choice', `/event/${slug}/book`, { price: priceId, quantity: '1', amount: '' });
    const order = chosen && (await this.wait(chosen));
    if (!order?.location.startsWith('/order/')) return false;
    const form = await this.open('order', order.location);
    const ticket = /name="ticket" value="([^"]+)"/.exec(form?.body ?? '')?.[1];
    if (ticket === undefined) return false;
    const sent = await this.open('contact', order.location, { ticket, email: `${randomUUID()}@example.org` });
    return sent?.status === 303;
  }

  /** Follows the page with the position, as a browser without scripts does, until it leads to the order. */
  private async wait(first: Answer): Promise<Answer | undefined> {
    let answer: Answer | undefined = first;
    let path = first.location;
    while (answer?.status === 200 || (answer?.status === 303 && !answer.location.startsWith('/order/'))) {
      if (answer.status === 303) path = answer.location;
      else {
        const seconds = /http-equiv="refresh" content="(\d+)/.exec(answer.body)?.[1];
        if (seconds === undefined) return undefined;
        this.seesQueue = true;
        await delay(Number(seconds) * 1000);
      }
      answer = await this.open('queue', path);
    }
    return answer;
  }

  /** Sends a request; one that is refused for now is sent again. @returns undefined when it was refused to the end */
  private async open(name: string, path: string, fields?: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    for (let attempt = 0; attempt <= attempts; attempt += 1) {
      const answer = await this.send(path, fields);
      const told = `${name} ${answer.status}`;
      this.answers[told] = (this.answers[told] ?? 0) + 1;
      if (answer.status < 400 || !mayRepeat(answer.status)) return answer;
      await delay(answer.retryAfter * 1000 * (1 + Math.random() / 2));
    }
    return undefined;
  }

  private async send(path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    const { ports, host } = this.venue;
    const port = ports[Math.floor(Math.random() * ports.length)] as number;
    const body = fields && new URLSearchParams(fields).toString();
    const headers = {
      host,
      'x-forwarded-for': this.address,
      'accept-encoding': 'gzip',
      cookie: this.cookie,
      ...(body !== undefined && {
        origin: `http://${host}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      }),
    };
    try {
      const sent = request({ agent, port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST', headers });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return await this.read(response);
    } catch {
      return { status: 599, location: '', body: '', retryAfter: 1 };
    }
  }

  private async read(response: IncomingMessage): Promise<Answer> {
    const { location = '', 'retry-after': wait = '1', 'set-cookie': cookies = [], 'content-encoding': coding } = response.headers;
    for (const cookie of cookies) this.cookie = cookie.split(';', 1)[0] as string;
    const body = coding === 'gzip' ? await text(response.pipe(createGunzip())) : await text(response);
    return { status: response.statusCode ?? 0, location, body, retryAfter: Number(wait) };
  }
}

const mayRepeat = (status: number): boolean => status === 429 || status >= 500;

/**
 * Lets people buy a ticket each at the same time, through the pages and from different addresses.
 * @param spreadMs their first clicks are spread over this time
 */
export async function rushBuyers(venue: RushVenue, people: number, spreadMs = 2000): Promise<RushResult> {
  const answers: Record<string, number> = {};
  const times: number[] = [];
  let [last, refused, queued] = [0, 0, 0];
  const begun = performance.now();
  const one = async (number: number): Promise<void> => {
    await delay(Math.random() * spreadMs);
    const own = `11.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    const group = `12.0.0.${1 + Math.floor(number / (shared.oneIn * shared.together))}`;
    const buyer = new Buyer(venue, number % shared.oneIn === 0 ? group : own, answers);
    const clicked = performance.now();
    const isBooked = await buyer.book();
    if (buyer.seesQueue) queued += 1;
    if (!isBooked) return void (refused += 1);
    last = performance.now();
    times.push(last - clicked);
  };
  await Promise.all(Array.from({ length: people }, (_, number) => one(number)));
  return { times, answers, refused, queued, seconds: (last - begun) / 1000 };
}
